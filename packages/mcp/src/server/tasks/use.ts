/** Which calls of a tool go on as tasks: those that can, or all. */
export type TaskUse = "optional" | "required";
