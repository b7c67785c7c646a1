import { type Environment, errorType } from "@x/jsonrpc";
import type { ContractOf, Schemas } from "@x/jsonrpc/middleware";
import { z } from "zod";

const itemId = z.string().regex(/^SKU\d{3}$/, "expected an item such as SKU001");
const count = z.int().positive();

/** What can be asked of the shop, with what is checked at run time. */
export const schemas = {
  queryStock: { params: z.object({ itemId }), result: z.int() },
  queryPrice: { params: z.object({ itemId, count: count.default(1) }), result: z.number() },
  // The number of an order is the customer's: who has no answer may send the same order again.
  order: { params: z.object({ orderId: z.uuid(), itemId, count }), result: z.object({ left: z.int() }) },
  takeInventory: {},
} satisfies Schemas;

export type Shop = ContractOf<typeof schemas>;

/** What the shop asks and tells its customers. Types are enough: whoever connects has both sides from this file. */
export interface Customer {
  approve(params: { readonly itemId: string; readonly price: number }): boolean;
  stockChanged(params: { readonly itemId: string; readonly left: number }): void;
}

/** Types of a handler's context. */
export interface ShopEnvironment extends Environment {
  readonly remote: Customer;
}

export class SoldOut extends errorType<{ readonly left: number }>(1001, "There is not enough of it") {}

export class NotApproved extends errorType(1002, "The customer doesn't want to pay that") {}
