import jayson from "jayson";
import { listen } from "../contenders/listen.ts";
import { roomMethods } from "../contenders/room-methods.ts";

type Done = (error: null, result: unknown) => void;

const methods = Object.entries(roomMethods).map(([name, method]) => [
  name,
  (params: never, done: Done) => done(null, method(params)),
]);
listen(new jayson.Server(Object.fromEntries(methods) as jayson.MethodMap).http());
