const flags = [
	// The room for new objects is doubled whenever it seems short, and all of it is touched in turn.
	'semi-space-growth-factor=1',
	// Optimising the parser of HTTP takes 12 MB in a thread that keeps them, and no answer comes a millisecond sooner.
	'no-wasm-tier-up',
	'no-wasm-dynamic-tiering',
	'expose-gc',
];

/**
 * Gives back what only a start needed, and takes less from then on: 30 MB for some 20 ms. V8 does so by itself once
 * nothing has happened for some seconds, and while messages stream in that never comes. Kept code must match the flags
 * it was made with: it is kept before. Node's modules for this take long to load, so they wait for this.
 */
export function holdMemory(): void {
	const {setFlagsFromString} = process.getBuiltinModule('node:v8');
	for (const flag of flags) setFlagsFromString(`--${flag}`);
	const collect = process.getBuiltinModule('node:vm').runInNewContext('gc');
	collect({type: 'major', flavor: 'last-resort'});
}
