/** Sections of the list column, in display order. */
export const sections = ['needs', 'sessions', 'computers'] as const;
export type Section = (typeof sections)[number];

export type RowPosition = {readonly section: Section; readonly index: number};
