/** Keys without a character, which Ink parses but doesn't report. */
const names = ['insert', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12'] as const;
type FunctionKey = (typeof names)[number];

/** At the end of the last private-use plane: nobody types these. */
const firstStandIn = 0x10ff00;

const byLetter: Readonly<Record<string, FunctionKey>> = {P: 'f1', Q: 'f2', R: 'f3', S: 'f4'};
const byNumber: Readonly<Record<string, FunctionKey>> = {
	2: 'insert',
	11: 'f1',
	12: 'f2',
	13: 'f3',
	14: 'f4',
	15: 'f5',
	17: 'f6',
	18: 'f7',
	19: 'f8',
	20: 'f9',
	21: 'f10',
	23: 'f11',
	24: 'f12',
};
const sequences =
	/\x1b(?:O([PQRS])|\[(?:1;(\d{1,3})(?::1)?)?([PQRS])|\[(2|1[1-57-9]|2[0134])(?:;(\d{1,3})(?::1)?)?~)/g;

/** Replaces each function key's sequence with a stand-in character's, which Ink reports. */
export function withStandIns(input: string): string {
	if (!input.includes('\x1b')) return input;
	return input.replaceAll(sequences, (_, plain, letterModifiers, letter, number, modifiers) => {
		const name = (number === undefined ? byLetter[plain ?? letter] : byNumber[number]) as FunctionKey;
		return `\x1b[${firstStandIn + names.indexOf(name)};${letterModifiers ?? modifiers ?? 1}u`;
	});
}

export function functionKey(character: string): FunctionKey | undefined {
	return names[(character.codePointAt(0) ?? 0) - firstStandIn];
}
