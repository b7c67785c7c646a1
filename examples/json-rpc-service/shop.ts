import { setTimeout } from "node:timers/promises";
import { type Peer, type Service, type Transport, implement } from "@x/jsonrpc";
import { type Logger, deduplicate, log, timeLimit, validate } from "@x/jsonrpc/middleware";
import { type Customer, NotApproved, type Shop, type ShopEnvironment, SoldOut, schemas } from "./contract.ts";

/** Orders that cost more have to be approved. */
const APPROVAL = 100;

/** A shop, and the customers who are connected to it. Give `serveStdio` or each socket's transport to `connect`. */
export class ShopServer {
  readonly customers = new Set<Peer<Customer>>();
  readonly #stock = new Map([
    ["SKU001", { price: 4.5, left: 120 }],
    ["SKU002", { price: 80, left: 3 }],
  ]);
  readonly #service: Service;

  constructor(logger: Logger) {
    this.#service = implement<Shop, ShopEnvironment>({
      queryStock: ({ itemId }) => this.#stock.get(itemId)?.left ?? 0,

      queryPrice: ({ itemId, count }) => this.#item(itemId).price * count,

      order: async ({ itemId, count }, context) => {
        const item = this.#item(itemId);
        const price = item.price * count;
        if (price > APPROVAL && !(await context.request("approve", { itemId, price }))) throw new NotApproved();
        // Only now: somebody else may have bought it while this customer thought about the price.
        if (item.left < count) throw new SoldOut({ left: item.left });
        item.left -= count;
        for (const customer of this.customers) void customer.notify("stockChanged", { itemId, left: item.left });
        return { left: item.left };
      },

      takeInventory: async (_, { signal }) => {
        await setTimeout(60_000, undefined, { signal });
      },
    }).use(
      log(logger),
      timeLimit(({ method }) => (method === "order" ? undefined : 200)),
      deduplicate({ key: ({ params }) => (params as { orderId?: string } | undefined)?.orderId }),
      validate(schemas),
    );
  }

  connect(transport: Transport): Peer<Customer> {
    const customer = this.#service.connect<Customer>(transport);
    this.customers.add(customer);
    void customer.closed.then(() => this.customers.delete(customer));
    return customer;
  }

  #item(itemId: string): { readonly price: number; left: number } {
    const item = this.#stock.get(itemId);
    if (item === undefined) throw new SoldOut({ left: 0 });
    return item;
  }
}
