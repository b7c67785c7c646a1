// Sends requests to a protected server with the tokens of a file store: FOLDER URL.
import { authorizationCode, withAuth } from "../../src/index.ts";
import { fileStore } from "../../src/node/index.ts";

const [, , folder = "", url = ""] = process.argv;
const flow = authorizationCode(() => {
  throw new Error("Nobody is there to log in");
});
const authorized = withAuth(fetch, { flow, store: fileStore(folder) });
const responses = await Promise.all(Array.from({ length: 5 }, () => authorized(url)));
process.exitCode = responses.every(({ status }) => status === 200) ? 0 : 1;
