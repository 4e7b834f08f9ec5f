/**
 * Characters that take one column and never join a neighbor into one grapheme: printable ASCII, Latin, punctuation,
 * arrows, operators, box drawing, blocks, simple shapes, braille, ✓ and ✗. A test checks each against `Intl.Segmenter`
 * and string-width.
 */
export const simpleText = String.raw`\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2200-\u22ff\u2500-\u25a9\u25b2-\u25b5\u25b8-\u25bf\u25c2-\u25fa\u2713\u2717\u2800-\u28ff`;
