/** Letters of other layouts, in the order of a US keyboard's keys: Russian, and what Ukrainian and Greek have there. */
const layouts: readonly (readonly [typed: string, latin: string])[] = [
	['йцукенгшщзхъфывапролджэячсмитьбю', "qwertyuiop[]asdfghjkl;'zxcvbnm,."],
	['ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ', 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>'],
	['ёЁіІїЇєЄґҐ', '`~sS]}\'"\\|'],
	['ςερτυθιοπασδφγηξκλζχψωβνμ', 'wertyuiopasdfghjklzxcvbnm'],
	['ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ', 'ERTYUIOPASDFGHJKLZXCVBNM'],
];

const latin = new Map(
	layouts.flatMap(([typed, keys]) =>
		Array.from(typed, (letter, index) => [letter, keys.charAt(index)] as const),
	),
);

/** The key at the place of a Cyrillic or Greek letter, perhaps with modifiers: `ж` is `;`, `ctrl+с` is `ctrl+c`. */
export function latinKey(key: string): string | undefined {
	const letter = latin.get(key.slice(-1));
	return letter === undefined ? undefined : key.slice(0, -1) + letter;
}
