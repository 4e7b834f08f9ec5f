import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {globalFlags, screenFlags} from '../../../src/commands/cli/flags.ts';
import {findCommand, flagRows, inGroup} from '../../../src/commands/cli/help.ts';
import {parse} from '../../../src/commands/cli/parse.ts';
import {commands} from '../../../src/commands/cli/table.ts';
import {topics} from '../../../src/commands/cli/topics.ts';
import {keyLabel} from '../../../src/keys/key-label.ts';
import {bindings} from '../../../src/ui/bindings.ts';

const top = resolve(import.meta.dirname, '../../..');
/** What explains the program to its users. */
const guides = ['README.md', ...Object.keys(topics).map(topic => `src/commands/help/${topic}.md`)];

const block = /^```[\s\S]*?^```/gm;
const keyName =
	/^(?:(?:Ctrl|Alt|Shift)\+)?(?:[!-~]|[←→↑↓]|Enter|Esc|Tab|Space|Backspace|PgUp|PgDn|Home|End)$/;

/** Code and keys in a sentence, and the lines of code blocks. */
function codeOf(text: string) {
	const inline = text.replaceAll(block, '').matchAll(/`([^`\n]+)`|<kbd>(.+?)<\/kbd>/g);
	return {
		words: [...inline].map(([, code, key]) => code ?? key ?? ''),
		lines: [...text.matchAll(block)].flatMap(([lines]) => lines.split('\n')),
	};
}

/** The words of a command line, without their quotes. */
function wordsOf(line: string): string[] {
	return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
		([, one, two, bare]) => one ?? two ?? bare ?? '',
	);
}

describe.each(guides)('%s', guide => {
	const {words, lines} = codeOf(readFileSync(join(top, guide), 'utf8'));

	test('names only keys that exist', () => {
		const known = new Set<string>(bindings.flatMap(({keys}) => keys.map(keyLabel)));
		expect(words.filter(word => keyName.test(word) && !known.has(word))).toEqual([]);
	});

	test('names only flags that exist', () => {
		const flags = [globalFlags, screenFlags, ...commands.map(command => command.flags)].flat();
		const known = new Set(flagRows(flags).flatMap(([forms]) => forms.match(/--[a-z-]+/g) ?? []));
		const named = [...words, ...lines].flatMap(code => code.match(/--[a-z][\w-]*/g) ?? []);
		expect(named.filter(flag => !known.has(flag))).toEqual([]);
	});

	test('has only command lines that can be parsed', async () => {
		for (const code of [...words, ...lines]) {
			const [, line = code] = /\bquarterdeck (?:--local )?([a-z][^|)#]*)/.exec(code) ?? [];
			const argv = wordsOf(line);
			if (!/^[a-z]/.test(line) || (line === code && inGroup(argv[0] ?? '').length === 0)) continue;
			const command = findCommand(argv);
			if (command) await parse(argv, command);
			else expect([argv.length, inGroup(argv[0] ?? '').length > 0], code).toEqual([1, true]);
		}
	});
});

test('the package installs a man page for the commands and one for each topic', () => {
	const {man} = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
	const pages = Object.keys(topics).map(topic => `dist/quarterdeck-${topic}.7`);
	expect(man).toEqual(['dist/quarterdeck.1', ...pages]);
});
