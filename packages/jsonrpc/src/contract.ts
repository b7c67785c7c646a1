/**
 * One side's methods as a type: `type Shop = { queryStock(params: { itemId: string }): number }`. By-position
 * parameters are a tuple, no parameters is `()`. It types who calls and who answers.
 */
export type Untyped = { readonly [method: string]: (params: never) => unknown };

/** Keeps an argument from being taken as the contract, so that without one its handlers may name their own params. */
export type Given<C> = [C][C extends unknown ? 0 : never];

export type MethodOf<C> = keyof C & string;

export type ParamsOf<C, M extends keyof C> = C[M] extends (...args: infer A) => unknown
  ? A extends []
    ? undefined
    : A[0]
  : undefined;

export type ResultOf<C, M extends keyof C> = C[M] extends (...args: never) => infer R ? Awaited<R> : unknown;

declare const handled: unique symbol;

/** A method whose handler sees other types than its callers, because a schema between them makes one of the other. */
export type Method<Called, Handled> = Called & { readonly [handled]: Handled };

/** A method as its handler sees it. */
export type HandledOf<C, M extends keyof C> = C[M] extends { readonly [handled]: infer Handled } ? Handled : C[M];

/** The arguments after the method's name: the parameters may be left out where the contract lets them be undefined. */
export type Arguments<C, M extends keyof C, Options> = string extends keyof C
  ? [params?: unknown, options?: Options]
  : undefined extends ParamsOf<C, M>
    ? [params?: ParamsOf<C, M>, options?: Options]
    : [params: ParamsOf<C, M>, options?: Options];
