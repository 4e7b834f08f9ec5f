import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../../hooks/json.ts';
import {suggestedOptions} from '../../../../src/domain/sessions/suggested-changes.ts';

const rules = (...rules: readonly (readonly [toolName: string, ruleContent?: string])[]): JsonObject => ({
	type: 'addRules',
	behavior: 'allow',
	destination: 'localSettings',
	rules: rules.map(([toolName, ruleContent]) => ({
		toolName,
		...(ruleContent !== undefined && {ruleContent}),
	})),
});
const mode = (name: string): JsonObject => ({type: 'setMode', mode: name, destination: 'session'});

const optionsOf = (tool: string, input: JsonObject, ...suggestions: readonly JsonObject[]) =>
	suggestedOptions(tool, input, suggestions).map(({word, changes = [], applies = []}) => [
		word,
		[...changes],
		[...applies],
	]);

describe('the answers to a request of Claude Code', () => {
	test('are once and no without suggestions', () => {
		expect(optionsOf('Bash', {command: 'ls'})).toEqual([
			['once', [], []],
			['no', [], []],
		]);
	});

	test('keep every change apart from the rule for this command', () => {
		const everything = {...rules(['Bash']), destination: 'userSettings'};
		expect(
			optionsOf(
				'Bash',
				{command: 'npm test'},
				mode('bypassPermissions'),
				rules(['Bash', 'npm test:*']),
				everything,
				{type: 'addDirectories', directories: ['/etc', '/usr'], destination: 'session'},
				mode('acceptEdits'),
				{type: 'addRules', behavior: 'deny', rules: [{toolName: 'Bash', ruleContent: 'npm test'}]},
				{type: 'new', from: 'a later client'},
			),
		).toEqual([
			['once', [], []],
			['always', ["allow Bash(npm test:*), in the project's .claude/settings.local.json"], [1]],
			['mode', ['mode bypassPermissions (does everything without asking), until the session ends'], [0]],
			['rules', ['allow every use of Bash, in your settings, for every project'], [2]],
			['folders', ['access to /etc, until the session ends', 'access to /usr, until the session ends'], [3]],
			['mode-2', ['mode acceptEdits (edits files without asking), until the session ends'], [4]],
			['settings', ['deny Bash(npm test)'], [5]],
			['settings-2', ['{"type":"new","from":"a later client"}'], [6]],
			['no', [], []],
		]);
	});

	test.each<[string, string, JsonObject, JsonObject]>([
		['the whole command', 'Bash', {command: 'make all'}, rules(['Bash', 'make all'])],
		['the beginning of the command', 'Bash', {command: 'npm run x'}, rules(['Bash', 'npm run:*'])],
		[
			'each part of a command line',
			'Bash',
			{command: 'cd a && npm test'},
			rules(['Bash', 'npm test:*'], ['Bash', 'cd a']),
		],
		['the address', 'WebFetch', {url: 'https://x.org/a', prompt: 'b'}, rules(['WebFetch', 'domain:x.org'])],
		['the file', 'Read', {file_path: '/etc/hosts'}, rules(['Read', '//etc/hosts'])],
		['a tool without a command or path', 'mcp__a__b', {query: 'x'}, rules(['mcp__a__b'])],
	])('"always" takes a rule for %s', (_, tool, input, suggestion) => {
		expect(optionsOf(tool, input, suggestion)[1]?.[0]).toBe('always');
	});

	test.each<[string, JsonObject, string]>([
		['rules beside a mode', {...mode('plan'), behavior: 'allow', rules: [{toolName: 'Bash'}]}, '"rules"'],
		['a mode beside rules', {...rules(['Bash']), mode: 'bypassPermissions'}, '"bypassPermissions"'],
		['a destination that is no text', {...rules(['Bash']), destination: ['userSettings']}, 'userSettings'],
		['a rule without content', rules(['Bash', '']), 'every use of Bash'],
	])('name %s', (_, suggestion, shown) => {
		expect(optionsOf('Bash', {command: 'ls'}, suggestion)[1]?.[1]).toEqual([expect.stringContaining(shown)]);
	});

	test.each<[string, string, JsonObject, JsonObject]>([
		['every command', 'Bash', {command: 'ls'}, rules(['Bash'])],
		['every command, with a star', 'Bash', {command: 'ls'}, rules(['Bash', '*'])],
		['another command', 'Bash', {command: 'ls'}, rules(['Bash', 'rm:*'])],
		['a command that begins alike', 'Bash', {command: 'npm-evil'}, rules(['Bash', 'npm:*'])],
		['this command and another', 'Bash', {command: 'ls'}, rules(['Bash', 'ls'], ['Bash', 'rm -rf ~'])],
		['another tool', 'Bash', {command: 'ls'}, rules(['Write', 'ls'])],
		['every file', 'Edit', {file_path: '/a', old_string: 'a', new_string: 'b'}, rules(['Edit'])],
		['a folder', 'Read', {file_path: '/etc/hosts'}, rules(['Read', '//etc/**'])],
		['another site', 'WebFetch', {url: 'https://x.org'}, rules(['WebFetch', 'domain:y.org'])],
		['no tool at all', 'Bash', {command: 'ls'}, {...rules(), rules: []}],
		['every command, with no content', 'Bash', {command: 'sleep 1 &'}, rules(['Bash', ''])],
		['every file, with no content', 'Read', {path: ''}, rules(['Read', ''])],
		['a star in the command', 'Bash', {command: 'rm a*'}, rules(['Bash', 'rm a*'])],
		['a star before the last', 'Bash', {command: 'git * x'}, rules(['Bash', 'git * x:*'])],
		['a star as a part', 'Bash', {command: 'ls; *'}, rules(['Bash', '*'])],
		['a star in the path', 'Edit', {file_path: '/a/**'}, rules(['Edit', '//a/**'])],
		['any letter in the path', 'Edit', {file_path: '/a/?'}, rules(['Edit', '//a/?'])],
		['a star as the site', 'WebFetch', {url: 'https://*/'}, rules(['WebFetch', 'domain:*'])],
		['a quoted part', 'Bash', {command: 'echo "a; rm b"'}, rules(['Bash', 'rm:*'])],
		['a comment', 'Bash', {command: 'ls # ; rm b'}, rules(['Bash', 'rm:*'])],
		['more than its known fields say', 'Bash', {command: 'ls'}, {...rules(['Bash', 'ls']), extra: 1}],
	])('"always" takes no rule for %s', (_, tool, input, suggestion) => {
		const options = optionsOf(tool, input, suggestion);
		expect(options.map(([word]) => word)).not.toContain('always');
		expect(options).toHaveLength(3);
	});
});
