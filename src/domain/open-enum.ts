/** A contract enum as read: one of its known words, or any other word, kept and displayed verbatim. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

/** Fields not in the contract are kept on the object under their own key. */
export type ExtraFields = {readonly [key: string]: unknown};
