/** What a person sees who comes back. Whether the login has worked is for the program to say: it has yet to find out. */
export const returned = (clientName: string): string =>
  page("You can go back now", `Your answer has reached ${clientName}. You can close this page.`);

/** What somebody sees whose request is none of ours. */
export const foreign = (): string =>
  page("Nothing to do here", "No login is waiting for this page. Start again from the program.");

function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark }</style>
<h1>${escape(title)}</h1>
<p>${escape(text)}</p>
</html>
`;
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
