export { nodeFetch } from "./node-fetch.ts";
