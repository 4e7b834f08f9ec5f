/**
 * Characters that take one column and never join a neighbor into one grapheme: printable ASCII, Latin, punctuation,
 * arrows, operators, box drawing, blocks, simple shapes, braille, ✓ and ✗. A test checks each against `Intl.Segmenter`
 * and string-width.
 */
export const simpleText = String.raw`\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2200-\u22ff\u2500-\u25a9\u25b2-\u25b5\u25b8-\u25bf\u25c2-\u25fa\u2713\u2717\u2800-\u28ff`;

/**
 * A class of characters, for the flag `v`, none of which joins a neighbor into one grapheme: the above, ESC, line feeds,
 * tabs, kana, Han, Hangul syllables, full-width forms, and emoji but for regional indicators and skin tones.
 */
export const aloneText = String.raw`[\t\n\x1b${simpleText}\u3000-\u3029\u3041-\u3096\u30a0-\u30ff\u3105-\u312f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60[\p{Emoji_Presentation}--[\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]]]`;
