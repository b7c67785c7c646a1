// For everybody.
export { type AuthorizedFetch, withAuth } from "./with-auth.ts";
export type { Provider } from "./provider.ts";
export type { ClientDescription, RegisteredClient, SigningKey } from "./client/description.ts";
export { clientDocument } from "./client/document.ts";
export { signingKey } from "./signing-key.ts";
export { AuthError, LoginRequired, type Step } from "./error.ts";
export { memoryStore } from "./memory-store.ts";

// Flows.
export { CLIENT_CREDENTIALS, clientCredentials } from "./flows/client-credentials.ts";
export {
  ENTERPRISE_MANAGED,
  type IdentityAssertion,
  type IdentityProvider,
  enterpriseManaged,
} from "./flows/enterprise-managed.ts";
export { redirect } from "./flows/redirect.ts";
export { finishLogin } from "./finish-login.ts";
export { findIssuer } from "./find-issuer.ts";
export { type Audience, workloadIdentity } from "./flows/workload-identity.ts";

// For flows and stores of one's own.
export { type Reception, type Visit, authorizationCode } from "./flows/authorization-code.ts";
export type { Flow } from "./flow.ts";
export type { Authorization, Issued } from "./authorization.ts";
export type { Store, Stored } from "./store.ts";
