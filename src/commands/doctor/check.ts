/** The result of one check. Texts are raw. `none`: it isn't there, and nothing needs it. */
export type Check =
	| {readonly name: string; readonly state: 'ok' | 'none'; readonly found: string}
	| {
			readonly name: string;
			readonly state: 'warning' | 'problem';
			readonly found: string;
			readonly advice: string;
	  };

export function ok(name: string, found: string): Check {
	return {name, state: 'ok', found};
}

export function none(name: string, found: string): Check {
	return {name, state: 'none', found};
}

export function warning(name: string, found: string, advice: string): Check {
	return {name, state: 'warning', found, advice};
}

export function problem(name: string, found: string, advice: string): Check {
	return {name, state: 'problem', found, advice};
}
