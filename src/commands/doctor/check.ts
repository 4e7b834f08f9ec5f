/** The result of one check. Texts are raw. A check that isn't `ok` says what to do. */
export type Check =
	| {readonly name: string; readonly state: 'ok'; readonly found: string}
	| {
			readonly name: string;
			readonly state: 'warning' | 'problem';
			readonly found: string;
			readonly advice: string;
	  };

export function ok(name: string, found: string): Check {
	return {name, state: 'ok', found};
}

export function warning(name: string, found: string, advice: string): Check {
	return {name, state: 'warning', found, advice};
}

export function problem(name: string, found: string, advice: string): Check {
	return {name, state: 'problem', found, advice};
}
