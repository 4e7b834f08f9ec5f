import {describe, expect, test} from 'vitest';
import type {Command} from '../../../../src/commands/cli/command.ts';
import {globalFlags, screenFlags} from '../../../../src/commands/cli/flags.ts';
import {findCommand, helpFor, helpText, usage} from '../../../../src/commands/cli/help.ts';
import {parse} from '../../../../src/commands/cli/parse.ts';
import {commands} from '../../../../src/commands/cli/table.ts';
import {views} from '../../../../src/state/view/view-states.ts';

describe.each(commands.map(command => [command.path, command] as const))('%s', (path, command) => {
	test('has code', async () => {
		expect(await command.load()).toBeTypeOf('function');
	});

	test('is found by its words and has help', () => {
		expect(findCommand(path.split(' '))).toBe(command);
		expect(helpFor([...path.split(' '), '--help'])).toContain(usage(command));
	});

	test('has only examples that it can parse and that its help shows', async () => {
		for (const line of command.examples ?? []) {
			const argv = wordsOf(line.replace(/ [|<>] .*/, ''));
			expect(findCommand(argv), line).toBe(command);
			await parse(argv, command);
			expect(helpFor([...path.split(' '), '--help'])).toContain(`  quarterdeck ${line}`);
			expect(line.length, line).toBeLessThanOrEqual(76);
		}
	});

	test('has unique flags in kebab case', () => {
		const names = [...globalFlags, ...command.flags].map(({name}) => name);
		expect(new Set(names).size).toBe(names.length);
		for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
	});
});

test('the help fits into 90 columns', () => {
	for (const line of helpText([]).split('\n')) expect(line.length).toBeLessThanOrEqual(90);
});

test('there is no help for what is no command', () => {
	expect(helpFor(['computers', '--help'])).toContain('computers get');
	for (const words of [['frobnicate'], ['computers', 'frobnicate']])
		expect(helpFor([...words, '--help'])).toBeUndefined();
});

test('shells complete every view', () => {
	expect(screenFlags.find(flag => flag.name === 'view')?.choices).toEqual(views.map(view => view.name));
});

test('the usage puts only optional flags in brackets', () => {
	const usageOf = (path: string) => usage(findCommand(path.split(' ')) as Command);
	expect(usageOf('computers create')).toContain('computers create [--name NAME]');
	expect(usageOf('sessions create')).toContain('create --computer-id ID [--cwd');
	expect(usageOf('computers update')).toContain('update ID [--name NAME]');
});

/** The words of a command line, without their quotes. */
function wordsOf(line: string): string[] {
	return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
		([, one, two, bare]) => one ?? two ?? bare ?? '',
	);
}
