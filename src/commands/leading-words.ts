import {globalFlags, screenFlags} from './table.ts';

/**
 * The leading words of a command line that may name a command, without flags and their values.
 * `['--profile', 'p', 'computers', 'get', 'x']` gives `['computers', 'get', 'x']`.
 */
export function leadingWords(argv: readonly string[]): string[] {
	const words: string[] = [];
	for (let index = 0; index < argv.length; index++) {
		const part = argv[index] ?? '';
		if (part === '--') break;
		if (!part.startsWith('-') || part === '-') {
			words.push(part);
			continue;
		}
		const flag = [...globalFlags, ...screenFlags].find(({name}) => part === `--${name}`);
		if (flag?.value) index++;
	}
	return words;
}
