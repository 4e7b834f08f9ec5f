/** What the embedded service ends a field of a tool's input with that it has cut. */
export const cutMark = ' [cut]';
