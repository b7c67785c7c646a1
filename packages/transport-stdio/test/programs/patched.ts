// Somebody has put a write of their own on stdout, as test runners do; then two connections, one after the other. Says
// on stderr whether that write is there while each lasts, and after it.
import { stdio } from "@x/transport-stdio";

type Write = typeof process.stdout.write;

const stdout: { write: Write } = process.stdout;
const original: Write = stdout.write.bind(process.stdout);
const theirs: Write = (...args: unknown[]) => original(...(args as Parameters<Write>));
stdout.write = theirs;
for (let i = 0; i < 2; i++) {
  const transport = stdio();
  console.error(stdout.write === theirs ? "theirs" : "ours");
  await transport.close();
  console.error(stdout.write === theirs ? "theirs" : "ours");
}
