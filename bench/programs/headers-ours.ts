import { implement } from "@x/jsonrpc";
import { contentLength } from "@x/jsonrpc/framing";
import { stdio } from "@x/transport-stdio";

implement<{ echo(params: unknown): unknown }>({ echo: (params) => params }).connect(stdio({ framing: contentLength }));
