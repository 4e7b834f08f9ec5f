/** A contract enum as it is read: the words the contract knows, or any other word, kept raw and shown as such. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

/** Fields the contract doesn't name are kept on the object, under their own key. */
export type ExtraFields = {readonly [key: string]: unknown};
