import fc from 'fast-check';
import {createScanner, getNodeValue} from 'jsonc-parser';
import {describe, expect, test} from 'vitest';
import {type ClientName, clients, findClient, timeoutOf} from '../../../src/hook-setup/clients.ts';
import {formatHookCommand, isHookCommand} from '../../../src/hook-setup/hook-command.ts';
import {type Plan, planChange, type Wanted} from '../../../src/hook-setup/plan-change.ts';
import {ourEntries, parseJsonText, type SettingsText} from '../../../src/hook-setup/settings-text.ts';

const ours = "/home/it's here/quarterdeck-hook";
const wantedBy = (name: ClientName, launcher = ours): Wanted[] => {
	const client = findClient(name);
	if (!client) throw new Error(name);
	const command = formatHookCommand({launcher, client: name});
	return client.events.map(event => ({event, command, timeout: timeoutOf(client, event)}));
};
const wanted = wantedBy('claude');

const plan = (before: SettingsText, list: readonly Wanted[] = wanted, isBare = false): Plan =>
	planChange({before, wanted: list, isBare});
const outcome = (result: Plan): SettingsText => {
	if (result.kind !== 'change') throw new Error(`it is ${JSON.stringify(result)}`);
	return result.after;
};
const install = (before: SettingsText, isBare = false) => outcome(plan(before, wanted, isBare)) as string;
const uninstall = (before: string, isBare = false) => outcome(plan(before, [], isBare));

/** What a file holds beside ours; the maps and lists that an install may make count as nothing. */
function others(text: string): unknown {
	return JSON.parse(JSON.stringify(getNodeValue(parseJsonText(text))), (_, value) => {
		if (typeof value !== 'object' || value === null) return value;
		if (isHookCommand(String(value.command))) return undefined;
		const isEmpty = (Array.isArray(value) ? value : Object.values(value)).every(part => part == null);
		if (isEmpty) return undefined;
		return Array.isArray(value) ? value.filter(part => part !== undefined && part !== null) : value;
	});
}

function comments(text = ''): string[] {
	const scanner = createScanner(text, false);
	const found: string[] = [];
	while (scanner.getPosition() < text.length) {
		scanner.scan();
		const token = text.substr(scanner.getTokenOffset(), scanner.getTokenLength());
		if (token.startsWith('/')) found.push(token.replace(/\s+/g, ' ').trim());
	}
	return found.sort();
}

const foreign = '{"matcher": "", "hooks": [{"type": "command", "command": "notify-send hi", "timeout": 3}]}';

const corpus: readonly (readonly [name: string, text: SettingsText, isBare?: boolean])[] = [
	['no file', undefined],
	['no file, bare', undefined, true],
	['an empty file', ''],
	['a byte order mark alone', '\ufeff'],
	['white space', ' \n'],
	['white space, bare', '\n', true],
	['an empty object', '{}'],
	['an empty object, bare', '{}', true],
	['an empty object and a line end', '{}\n'],
	['an empty object over lines', '{\n}\n'],
	['an empty object of spaces', '{  }'],
	['an empty object with a comment', '{ /* nothing yet */ }'],
	['an empty object with a line comment', '{ // nothing yet\n}'],
	['two spaces', '{\n  "model": "x",\n  "env": {"A": "b"}\n}\n'],
	['tabs', '{\n\t"model": "x",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": []}\n\t\t]\n\t}\n}\n'],
	['four spaces, no final line end', '{\n    "model": "x"\n}'],
	['CRLF', '{\r\n  "model": "x",\r\n  "hooks": {}\r\n}\r\n'],
	['a byte order mark', '\ufeff{\n  "model": "x"\n}\n'],
	['one line', '{"model": "x", "hooks": {"Stop": []}}'],
	['minified', '{"model":"x","hooks":{"Stop":[],"PreToolUse":[{"matcher":"Bash","hooks":[]}]}}'],
	['empty hooks', '{\n  "hooks": {}\n}\n'],
	['empty hooks over lines', '{\n  "hooks": {\n  }\n}\n'],
	['empty hooks with trailing spaces', '{\n  "hooks": { \n  }\n}\n'],
	['an empty event', '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'],
	['an empty event with spaces', '{\n  "hooks": {\n    "Stop": [ ]\n  }\n}\n'],
	["other people's hooks", `{\n  "hooks": {\n    "Stop": [\n      ${foreign}\n    ]\n  },\n  "a": 1\n}\n`],
	["other people's hooks on one line", `{\n  "hooks": {"Stop": [${foreign}], "X": []},\n  "a": 1\n}\n`],
	["other people's hooks, bare", `{\n  "Stop": [\n    ${foreign}\n  ]\n}\n`, true],
	['hooks in a file that may be bare', `{"hooks": {"Stop": [${foreign}]}}\n`, true],
	[
		'comments everywhere',
		`// top\n{ // open\n  "a": 1, // one\n  /* b */ "hooks": { // ours?\n    "Stop": [ // list\n      ${foreign} // theirs\n      // end\n    ] /* x */\n    // last\n  } // tail\n  // bottom\n}\n// eof`,
	],
	['a comment behind the last item of a line', `{"hooks": {"Stop": [${foreign} /* theirs */]}}`],
	['a line comment behind the last item', `{"hooks": {"Stop": [${foreign} // theirs\n]}}`],
	[
		'a line comment that ends in a space of another kind',
		`{"hooks": {"Stop": [${foreign} // theirs\u00a0\u2003\n]}}`,
	],
	['lines that end in CR alone', `{\r  "hooks": {"Stop": [${foreign} // theirs\r]} // x\r}\r`],
	[
		'items of no known shape',
		'{"hooks": {"Stop": ["cmd", 1, null, {"hooks": "x"}, {"hooks": [1, {"command": 2}]}]}}',
	],
	['settings beside the events', '{\n  "hooks": {"enabled": true, "disabled": [], "Stop": []}\n}'],
	['escapes in keys', String.raw`{"\u0068ooks": {"\u0053top": []}, "__proto__": {"a": 1}, "é\/": "\ud800"}`],
];

/** Only droid has a file whose root may be the map of events. */
const cells = clients.flatMap(({name}) =>
	corpus.flatMap(([what, text, isBare = false]) =>
		isBare && name !== 'droid' ? [] : [{name, what, text, isBare}],
	),
);

describe.each(cells)('$name, $what', ({name, text, isBare}) => {
	const own = wantedBy(name);
	const installed = outcome(plan(text, own, isBare)) as string;

	test('an install adds every event once and keeps everything else, comments too', () => {
		const events = ourEntries(installed, isBare).map(({event}) => event);
		expect(events.sort()).toEqual(own.map(({event}) => event).sort());
		if (text?.trim().replace('\ufeff', '')) expect(others(installed)).toEqual(others(text));
		expect(comments(installed)).toEqual(comments(text));
	});

	test('a second install writes nothing', () => {
		expect(plan(installed, own, isBare)).toEqual({kind: 'same'});
	});

	test('an uninstall leaves everything else, comments too', () => {
		const rest = uninstall(installed, isBare) ?? '';
		expect(ourEntries(rest, isBare)).toEqual([]);
		if (text?.trim().replace('\ufeff', '')) expect(others(rest)).toEqual(others(text));
		expect(comments(rest)).toEqual(comments(text));
	});

	test('an upgrade changes only the commands, in place', () => {
		const newer = wantedBy(name, '/new/quarterdeck-hook');
		const result = plan(installed, newer, isBare);
		expect(result).toMatchObject({added: [], removed: [], upgraded: own.map(({event}) => event)});
		expect(outcome(result)).toBe(
			installed.replaceAll(JSON.stringify(own[0]?.command), JSON.stringify(newer[0]?.command)),
		);
	});

	test('an uninstall without an install writes nothing', () => {
		expect(plan(text, [], isBare)).toEqual({kind: 'same'});
	});
});

describe('an install refuses', () => {
	test.each([
		['a comma too many', '{\n  "a": 1,\n}', 'line 3, column 1: trailing comma'],
		['a comma too few', '{"a": 1 "b": 2}', 'line 1, column 9: unexpected "\\""'],
		['a file cut short', '{"a": ', 'line 1, column 7: unexpected end of file'],
		['a comment without an end', '{/* a', 'line 1, column 2: unterminated comment'],
		['words after the end', '{}\nx', 'line 2, column 1: unexpected "x"'],
		['single quotes', "{'a': 1}", 'line 1, column 2: unexpected "\'"'],
		['a line end in a string', '{"a": "\n"}', 'line 1, column 7: unexpected "\\""'],
		['a key that comes twice', '{"a": 1,\n  "a": 2}', 'line 2, column 3: duplicate key "a"'],
		[
			'a key twice further down',
			'{"x": [{"b": {"a": 1, "\\u0061": 2}}]}',
			'line 1, column 23: duplicate key "a"',
		],
		['hooks twice', '{"hooks": {}, "hooks": {}}', 'line 1, column 15: duplicate key "hooks"'],
		['hooks as a list', '{"hooks": []}', 'line 1, column 11: "hooks" is not an object'],
		['hooks as null', '{"hooks": null}', 'line 1, column 11: "hooks" is not an object'],
		['a list as settings', '\ufeff[]', 'line 1, column 1: the settings are not an object'],
		['a word as settings', '"x"', 'line 1, column 1: the settings are not an object'],
		['an event as an object', '{"hooks": {\r\n"Stop": {}}}', 'line 2, column 9: "Stop" is not a list'],
		['endless nesting', '['.repeat(100_000), 'line 1, column 201: nested too deeply'],
	])('%s', (_, text, reason) => {
		expect(plan(text)).toEqual({kind: 'refused', reason});
	});
});

describe('an upgrade', () => {
	const [first] = wanted;
	const old = "'/old/quarterdeck-hook' --client claude --older";

	test('repairs one event, adds missing ones, and drops unwanted and duplicate ones', () => {
		const mine = (timeout: string) =>
			`{"hooks": [{"name": "kept", "command": ${JSON.stringify(old)}${timeout}}]}`;
		const text = `{"hooks": {"Stop": [${mine(', "timeout": 9')}, ${foreign}, ${mine('')}], "PreToolUse": [${mine('')}], "SessionEnd": [${mine('')}]}}`;
		const result = plan(text);
		expect(result).toMatchObject({
			added: ['Notification', 'SubagentStop', 'SessionStart', 'UserPromptSubmit'],
			upgraded: ['Stop', 'SessionEnd'],
			removed: ['Stop', 'PreToolUse'],
		});
		const command = JSON.stringify(first?.command);
		expect(outcome(result)).toContain(
			`{"hooks": {"Stop": [{"hooks": [{"name": "kept", "command": ${command}, "timeout": 5}]}, ${foreign}], "SessionEnd": [{"hooks": [{"name": "kept", "command": ${command},"timeout": 5}]}], "Notification"`,
		);
	});

	test('corrects a timeout of the wrong type', () => {
		const entry = (timeout: string) =>
			`{"hooks": {"Stop": [{"hooks": [{"timeout": ${timeout}, "command": ${JSON.stringify(old)}}]}]}}`;
		for (const timeout of ['"9"', '{"s": 9}', '[]', 'null', '-1e3'])
			expect(outcome(plan(entry(timeout))), timeout).toContain('[{"hooks": [{"timeout": 5, "command"');
	});

	test("keeps a matcher set by hand, and takes only our handler out of other people's group", () => {
		const command = JSON.stringify(first?.command);
		const text = `{"hooks": {"Notification": [{"matcher": "permission_prompt", "hooks": [{"command": "a"}, {"command": ${command}, "timeout": 5}, {"command": "b"}]}]}}`;
		expect(outcome(plan(text))).toContain('{"matcher": "permission_prompt", "hooks": [{"command": "a"},');
		expect(uninstall(text)).toBe(
			'{"hooks": {"Notification": [{"matcher": "permission_prompt", "hooks": [{"command": "a"}, {"command": "b"}]}]}}',
		);
	});
});

describe('an uninstall', () => {
	test('of a file that was rewritten in between leaves valid settings without ours', () => {
		const again = JSON.stringify(JSON.parse(install('{"model": "x", "hooks": {}}')), null, 4);
		expect(JSON.parse(uninstall(again) ?? '')).toEqual({model: 'x'});
	});

	test('keeps what others put after our entries', () => {
		const before = `{\n  "hooks": {\n    "Stop": [\n      ${foreign} // first\n    ]\n  }\n}\n`;
		const text = install(before).replace(/\n {4}\],/, `, // ours\n      ${foreign}\n    ],`);
		expect(uninstall(text)).toContain(`${foreign}, // first\n      // ours\n      ${foreign}\n    ]\n`);
	});
});

describe('any settings', () => {
	const scalars = fc.oneof(
		fc.string(),
		fc.integer(),
		fc.double({noDefaultInfinity: true, noNaN: true}),
		fc.boolean(),
		fc.constant(null),
	);
	const value = fc.letrec(tie => ({
		any: fc.oneof(
			{maxDepth: 3},
			scalars,
			fc.array(tie('any'), {maxLength: 3}),
			fc.dictionary(fc.string(), tie('any'), {maxKeys: 3}),
		),
	})).any;
	const group = fc.record(
		{
			matcher: fc.string(),
			hooks: fc.array(fc.record({type: fc.constant('command'), command: fc.string()}), {maxLength: 2}),
		},
		{requiredKeys: ['hooks']},
	);
	const events = ['Stop', 'Notification', 'AfterAgent', 'PreToolUse'];
	const hooks = fc.dictionary(fc.constantFrom(...events), fc.array(fc.oneof(group, value), {maxLength: 3}));
	const settings = fc
		.tuple(fc.dictionary(fc.string(), value, {maxKeys: 4}), fc.option(hooks, {nil: undefined}), fc.nat(5))
		.map(([rest, map, at]) => {
			const entries = Object.entries(rest).filter(([key]) => key !== 'hooks');
			if (map) entries.splice(at, 0, ['hooks', map]);
			return Object.fromEntries(entries);
		});
	/** A text that says `node`, with white space and comments of any kind wherever they may be. */
	const trivia = (random: () => number, eol: string, hasComments: boolean): string => {
		const pieces = ['', '', '', ' ', '  ', '\t', eol, `${eol}  `, ` ${eol}\t`, `${eol}${eol}`];
		if (hasComments)
			pieces.push(`// c, ]}"${eol}`, ' /* c, ]}" */ ', `/* two${eol}lines */`, ` // c  ${eol}`);
		return pieces[random() % pieces.length] ?? '';
	};
	function write(node: unknown, gap: () => string): string {
		if (typeof node !== 'object' || node === null) return JSON.stringify(node);
		const list = Array.isArray(node);
		const parts = Object.entries(node).map(
			([key, part]) => (list ? '' : `${JSON.stringify(key)}${gap()}:${gap()}`) + write(part, gap),
		);
		const inner = parts.length === 0 ? gap() : parts.map(part => gap() + part + gap()).join(',');
		return list ? `[${inner}]` : `{${inner}}`;
	}
	const text = fc
		.tuple(
			settings,
			fc.infiniteStream(fc.nat(1000)),
			fc.constantFrom('\n', '\r\n', '\r'),
			fc.constantFrom('', '\ufeff'),
			fc.constantFrom('random', 'comments', '\t', '  ', 'none'),
		)
		.map(([node, stream, eol, mark, form]) => {
			const random = () => stream.next().value ?? 0;
			if (form !== 'random' && form !== 'comments')
				return mark + JSON.stringify(node, null, form === 'none' ? 0 : form).replaceAll('\n', eol);
			const gap = () => trivia(random, eol, form === 'comments');
			return mark + gap() + write(node, gap) + gap();
		});

	test('keep everything else when ours come and go, whatever their form', () => {
		fc.assert(
			fc.property(
				text,
				fc.constantFrom('claude' as const, 'gemini' as const),
				fc.boolean(),
				(before, client, isBare) => {
					const list = wantedBy(client);
					const installed = outcome(plan(before, list, isBare)) as string;
					expect(others(installed)).toEqual(others(before));
					expect(ourEntries(installed, isBare)).toHaveLength(list.length);
					expect(plan(installed, list, isBare)).toEqual({kind: 'same'});
					expect(comments(installed)).toEqual(comments(before));
					const rest = outcome(plan(installed, [], isBare));
					expect(others(rest ?? '')).toEqual(others(before));
					expect(comments(rest)).toEqual(comments(before));
				},
			),
			{numRuns: 100},
		);
	});

	test('are planned or refused without a crash, however broken', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					text.map(whole => whole.slice(0, -2)),
					fc.json(),
				),
				before => {
					const result = plan(before);
					if (result.kind === 'change') expect(plan(result.after)).toEqual({kind: 'same'});
					else expect(result.kind).toBe('refused');
				},
			),
			{numRuns: 200},
		);
	});
});

test('no client registers an event that asks for a decision', () => {
	for (const client of clients)
		for (const event of client.events) expect(event).not.toMatch(/Tool|PermissionRequest/);
});
