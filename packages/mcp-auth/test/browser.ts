/** A browser without a screen: keeps cookies, follows redirects and fills in whatever form it meets as one person would. */
export class Browser {
  readonly #name: string;
  /** By origin. */
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Goes on until a page has no form. */
  async visit(page: string): Promise<Response> {
    let response = await this.#load(page);
    for (let pages = 0; pages < 10; pages++) {
      const html = await response.clone().text();
      const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
      if (action === undefined) return response;
      const fields = new URLSearchParams({ login: this.#name, password: "secret" });
      for (const [, name = "", value = ""] of html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
        fields.set(name, value);
      response = await this.#load(new URL(action, response.url).href, { method: "POST", body: fields });
    }
    throw new Error("Forms without end");
  }

  async #load(address: string, init: RequestInit = {}): Promise<Response> {
    let url = address;
    let request = init;
    for (let hops = 0; hops < 10; hops++) {
      const { origin } = new URL(url);
      const jar = this.#cookies.get(origin) ?? new Map<string, string>();
      this.#cookies.set(origin, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(url, { ...request, redirect: "manual", headers: { Cookie: cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === "") jar.delete(name);
        else jar.set(name, value);
      }
      const location = response.headers.get("location");
      if (location === null) return response;
      url = new URL(location, url).href;
      request = {};
    }
    throw new Error("Redirects without end");
  }
}
