import {expect, test} from 'vitest';
import type {ContentItem} from '../../../../src/domain/messages/message.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {isCollapsed} from '../../../../src/text/messages/collapsed-rows.ts';
import {messageRows} from '../../../../src/text/messages/message-rows.ts';
import {createToolPairing} from '../../../../src/text/messages/tool-pairs.ts';

const use = (name: string, input: unknown, id = name): ContentItem => ({type: 'tool_use', id, name, input});
const result = (id: string | undefined, content: unknown, isError = false): ContentItem => ({
	type: 'tool_result',
	...(id !== undefined && {tool_use_id: id}),
	content,
	is_error: isError,
});

function rowsOf(content: readonly ContentItem[], isExpanded = false, width = 62) {
	const message = {id: 'm', content};
	return messageRows({kind: 'message', id: 'm', message, role: 'assistant'}, {width, isExpanded});
}
const card = (name: string, input: unknown, output?: string, isError = false, isExpanded = false) =>
	rowsOf(
		[use(name, input), ...(output === undefined ? [] : [result(name, output, isError)])],
		isExpanded,
	).map(row => lineText(row).slice(2).trimEnd());

const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index}`).join('\n');

test.each([
	['Read', {file_path: '/w/src/app.ts', limit: 5}, lines(120), ['✓ Read /w/src/app.ts  120 lines']],
	['Grep', {path: 'src', pattern: 'todo'}, 'src/a.ts', ['✓ Grep todo in src  src/a.ts']],
	['Glob', {pattern: '**/*.md'}, 'No files found', ['✓ Glob **/*.md  No files found']],
	[
		'Bash',
		{command: 'npm test', timeout: 5},
		lines(4),
		['✓ Bash npm test', '  line 0', '  line 1', '  line 2', '  line 3'],
	],
	[
		'Bash',
		{command: 'npm test'},
		lines(9),
		['✓ Bash npm test', '  line 0', '  line 1', '  + 4 lines', '  line 6', '  line 7', '  line 8'],
	],
	['Bash', {command: ['bash', '-lc', 'npm ci']}, '', ['✓ Bash npm ci  no output']],
	[
		'Task',
		{subagent_type: 'x', description: 'Look around'},
		`## Found\n\n- **one**\n- two\n\n${lines(3)}`,
		['✓ Task Look around', '  Found', '  • one', '  • two  + 3 lines'],
	],
	['mcp__github__get_issue', {owner: 'o', issue_number: 42}, 'ok', ['✓ github get_issue 42  ok']],
	['Custom', {zeta: [], word: 'the value'}, undefined, ['· Custom the value']],
	['Todo', {todos: [{content: 'a'}]}, 'modified', ['☐ plan 0 of 1 done', '  ☐ a']],
	['Notes', {notes: [{content: 'a'}]}, 'done', ['✓ Notes  done']],
])(
	'%s shows what it does and how it ended, with its output or both ends of a long one',
	(name, input, output, expected) => {
		expect(card(name, input, output)).toEqual(expected);
	},
);

test.each([
	['shell', {command: "/bin/bash -lc 'npm ci'"}, 'ok', ['✓ shell npm ci  ok']],
	['shell', '{"command":["bash","-lc","aws s3 ls"],"timeout_ms":9}', 'ok', ['✓ shell aws s3 ls  ok']],
	['github: get_issue', {arguments: {issue_number: 42}}, 'ok', ['✓ github: get_issue 42  ok']],
	['Bash', {command: "# Look first\npython - <<'EOF'\nprint(1)\nEOF"}, '1', ['✓ Bash Look first …  1']],
	[
		'apply_patch',
		'*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: b.md\n+# B\n*** End Patch',
		'Success.',
		[
			'✓ apply_patch src/a.ts, b.md  +2  -1',
			'  *** Update File: src/a.ts',
			'  - a',
			'  + b',
			'  *** Add File: b.md',
			'  + # B',
		],
	],
	[
		'edit',
		{filePath: 'src/a.ts', oldString: 'a', newString: 'b'},
		'',
		['✓ edit src/a.ts  +1  -1', '  - a', '  + b'],
	],
	[
		'run_shell_command',
		{command: 'npm test'},
		'Command: npm test\nDirectory: (root)\nOutput: ok 1\nok 2\nError: (none)\nExit Code: 0\nSignal: 0',
		['✓ run_shell_command npm test', '  ok 1', '  ok 2'],
	],
	[
		'run_shell_command',
		{command: 'npm test'},
		'Command: npm test\nDirectory: (root)\nOutput: it failed here\nExit Code: 2\nSignal: (none)',
		['✗ run_shell_command npm test  exit 2  it failed here'],
	],
	[
		'exec_command',
		{cmd: 'ls'},
		'Chunk ID: 5f\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\na.ts\nb.ts',
		['✓ exec_command ls', '  a.ts', '  b.ts'],
	],
	[
		'mcp__linear__get_issue',
		{id: 'S-1'},
		'{"id":"S-1","title":"Crash on start","state":{"name":"open"}}',
		['✓ linear get_issue S-1  Crash on start'],
	],
	['aws', {command: 'x'}, '{"odd":[1,2]}', ['✓ aws x  {"odd":[1,2]}']],
	[
		'BashOutput',
		{bash_id: 'b1'},
		'<status>running</status>\n\n<stdout>\n  ready\n  at port 80\n</stdout>',
		['✓ BashOutput b1', '  ready', '  at port 80'],
	],
	[
		'TodoWrite',
		{
			todos: [
				{content: 'a', status: 'completed'},
				{content: 'b', status: 'in_progress'},
			],
		},
		'Todos …',
		['☐ plan 1 of 2 done', '  ☑ a', '  ▸ b'],
	],
	[
		'update_plan',
		{plan: [{step: 'a', status: 'completed'}]},
		'Plan updated',
		['☑ plan 1 of 1 done', '  ☑ a'],
	],
	['TodoWrite', {todos: '1. [completed] a\n2. [pending] b'}, 'ok', ['☐ plan 1 of 2 done', '  ☑ a', '  ☐ b']],
	[
		'AskUserQuestion',
		{questions: [{question: 'Which one?', options: [{label: 'A'}, {label: 'B'}]}]},
		'User has answered your questions: "Which one?"="B". You can now continue with the user\'s answers in mind.',
		['✓ Question Which one?', '  → B'],
	],
])('%s of any client shows what it did, without the wrapping around it', (name, input, output, expected) => {
	expect(card(name, input, output)).toEqual(expected);
});

test.each([
	["The user doesn't want to proceed with this tool use. The tool use was rejected.", 'rejected by the user'],
	[
		"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nnot now",
		'rejected: not now',
	],
	['[Request interrupted by user for tool use]', 'interrupted by the user'],
	['<tool_use_error>No such file.</tool_use_error>', 'No such file.'],
])('shortens %s', (output, expected) => {
	expect(
		lineText(rowsOf([use('Bash', {command: 'x'}), result('Bash', output, true)], false, 90)[0] ?? []),
	).toBe(`  ✗ Bash x  ${expected}`);
});

test.each([
	['Bash', {command: 'cat deploy.sh'}, 'set -e\nexit 1'],
	['Bash', {command: 'git log --oneline'}, 'exit status 1: fix\n9f3 init'],
	['Read', {file_path: 'errors.md'}, 'Exit code 2\nmeans that a file is missing'],
])("what %s %j prints doesn't make it a failure", (name, input, output) => {
	const rows = card(name, input, output);
	expect(rows[0]).toMatch(/^✓ /);
	if (name === 'Bash') for (const line of output.split('\n')) expect(rows).toContain(`  ${line}`);
});

test("expanded, shows a plan as a list, a file as numbered code and an agent's answer as Markdown", () => {
	const steps = [
		{content: 'read', status: 'completed'},
		{content: 'write', status: 'in_progress'},
		{content: 'test', status: 'pending'},
	];
	expect(card('TodoWrite', {todos: steps}, 'Todos …', false, true)).toEqual([
		'✓ TodoWrite 1 of 3 done · write',
		'  ☑ read',
		'  ▸ write',
		'  ☐ test',
	]);
	const file = card('Read', {file_path: 'a.ts'}, '     9→const a = 1;\n    10→', false, true);
	expect(file).toEqual(['✓ Read a.ts  2 lines', '   9 const a = 1;', '  10']);
	const rows = rowsOf([use('Read', {file_path: 'a.ts'}), result('Read', '    9→const a = 1;')], true);
	expect(rows[1]?.map(({text, tone}) => [text, tone])).toContainEqual(['const', 'accent']);
	expect(card('Task', {description: 'Look'}, '## Found\n\n- `one`', false, true)).toEqual([
		'✓ Task Look  3 lines',
		'  Found',
		'',
		'  • one',
	]);
});

test('expanded, shows all of a long command', () => {
	const command = `echo ${'word '.repeat(30)}end`;
	for (const [input, last] of [
		[{command}, ['  ok']],
		[{command, timeout: 5}, ['  timeout: 5', '  ok']],
	] as const) {
		const rows = card('Bash', input, 'ok', false, true);
		const shown = rows.slice(1, -last.length).map(row => row.trim());
		expect(shown.join(' ')).toBe(command);
		expect(rows.slice(-last.length)).toEqual(last);
	}
});

test('expanded, marks the rows of a long line', () => {
	const file = `     9→const a = ${'1 + '.repeat(20)}1;`;
	expect(card('Read', {file_path: 'a.ts'}, file, false, true).slice(1)).toEqual([
		`  9 const a = ${'1 + '.repeat(11)}1`,
		`↳   ${'+ 1 '.repeat(9).trim()};`,
	]);
	expect(card('Bash', {command: 'x'}, `${'word '.repeat(20)}\nend`, false, true).slice(-3)).toEqual([
		`  ${'word '.repeat(11).trim()}`,
		`↳ ${'word '.repeat(9).trim()}`,
		'  end',
	]);
	const endless = card('Read', {file_path: 'a.js'}, 'x'.repeat(200_000), false, true);
	expect(endless.length).toBeGreaterThan(1000);
	expect(endless.at(-1)).toBe('+ the rest of 200 kB');
});

test('a failed run shows the lines before its last one, or its last lines if none says what failed', () => {
	const output = `Exit code 1\n${lines(30)}\nTraceback (most recent call last):\n  File "a.py"\ndecimal.InvalidOperation: bad`;
	const rows = rowsOf([use('Bash', {command: 'x'}), result('Bash', output, true)]).slice(1);
	expect(rows.map(row => lineText(row).slice(4))).toEqual([
		'+ 31 lines',
		'Traceback (most recent call last):',
		'  File "a.py"',
		'decimal.InvalidOperation: bad',
	]);
	expect(rows.map(row => row[2]?.tone)).toEqual(['dim', 'dim', 'dim', 'bad']);
	expect(card('Bash', {command: 'x'}, `Exit code 1\n${lines(30)}`, true).slice(1)).toEqual([
		...['  + 28 lines', '  line 27', '  line 28', '  line 29'],
	]);
});

const passing = (mark: string) => Array.from({length: 12}, (_, index) => `${mark} case ${index}`).join('\n');
test.each([
	[
		'jest',
		`FAIL src/sum.test.js\n${'  \x1b[32m✓\x1b[39m adds\n'.repeat(3)}  ✕ subtracts (3 ms)\n\n  ● subtracts\n\n    expect(received).toBe(expected)\n\n    Expected: 3\n    Received: 2\n\n      at Object.toBe (src/sum.test.js:7:20)\n\nTests: 1 failed, 3 passed`,
		/Expected: 3.*Received: 2/s,
	],
	[
		'node --test',
		`${passing('✔')}\n✖ subtracts (1.2ms)\n  AssertionError [ERR_ASSERTION]: 2 !== 3\nℹ tests 13\nℹ pass 12\nℹ fail 1`,
		/2 !== 3.*fail 1/s,
	],
	[
		'pytest',
		`${passing('tests/a.py .')}\n    def test_sub():\n>       assert sub(5, 3) == 3\nE       assert 2 == 3\nE        +  where 2 = sub(5, 3)\n\ntests/a.py:7: AssertionError\nFAILED tests/a.py::test_sub - assert 2 == 3`,
		/assert 2 == 3/,
	],
	[
		'go test',
		`${passing('=== RUN')}\n--- FAIL: TestSub (0.00s)\n    sum_test.go:12: got 2, want 3\nFAIL\nexit status 1`,
		/got 2, want 3/,
	],
	[
		'eslint',
		`src/a.ts\n${'  1:1  warning  Missing comment  doc\n'.repeat(9)}  12:3  error  'x' is not defined  no-undef\n\n✖ 10 problems (1 error, 9 warnings)`,
		/'x' is not defined.*1 error/s,
	],
])('collapsed, a card shows why %s failed', (command, output, reason) => {
	expect(card('Bash', {command}, output, true).slice(1).join('\n')).toMatch(reason);
});

test('gives a long command two rows, a path one, and a few long lines of output two each', () => {
	const command = `psql shop -c 'explain analyze select * from orders where state = 1' --pset=pager=off`;
	const plan = `Limit ${'(cost=1..2 rows=50) '.repeat(3)}(actual time=8731 ms)`;
	expect(card('Bash', {command}, `${plan}\ntime 2`)).toEqual([
		"✓ Bash psql shop -c 'explain analyze select * from orders",
		"    where state = 1' --pset=pager=off",
		'  Limit (cost=1..2 rows=50) (cost=1..2 rows=50) (cost=1..2',
		'    rows=50) (actual time=8731 ms)',
		'  time 2',
	]);
	expect(card('Bash', {command}, Array(6).fill(plan).join('\n'))).toHaveLength(8);
	expect(card('Bash', {command: command.repeat(3)}, 'ok')[1]).toMatch(/^ {4}where.*…$/);
	const exact = `git branch -D${' feature/cart'.repeat(3)}`;
	expect(card('Bash', {command: exact}, 'a\nb\nExit code 1', true).slice(0, 2)).toEqual([
		'✗ Bash git branch -D feature/cart feature/cart',
		'    feature/cart  exit 1',
	]);
	expect(card('Write', {file_path: `/w/${'folder/'.repeat(20)}a.ts`, content: 'x'}, 'ok')).toHaveLength(2);
});

test('lists a plan once, then only its progress and new steps', () => {
	const pairing = createToolPairing();
	const planned = (states: Record<string, string>, isExpanded = false) => {
		const todos = Object.entries(states).map(([content, status]) => ({content, status}));
		const message = {id: 'm', content: [use('TodoWrite', {todos})]};
		const {paired} = pairing.add(message);
		const entry = {kind: 'message', id: 'm', message, role: 'assistant'} as const;
		return messageRows(entry, {width: 40, isExpanded, messages: [paired]}).map(row => lineText(row).slice(2));
	};
	expect(planned({read: 'in_progress', write: 'pending'})).toEqual([
		...['☐ plan 0 of 2 done', '  ▸ read', '  ☐ write'],
	]);
	expect(planned({read: 'completed', write: 'in_progress'})).toEqual(['☐ plan 1 of 2 done · write']);
	expect(planned({read: 'completed', write: 'in_progress', test: 'pending'})).toEqual([
		...['☐ plan 1 of 3 done · write', '  ☐ test'],
	]);
	expect(planned({read: 'completed', write: 'completed', test: 'completed'})).toEqual(['☑ plan 3 of 3 done']);
	expect(planned({read: 'completed', write: 'completed', test: 'completed'}, true)).toHaveLength(4);
	const many = Object.fromEntries(Array.from({length: 30}, (_, index) => [`step ${index}`, 'pending']));
	expect(planned(many).at(-1)).toBe('  ☐ step 9  + 20 lines');
});

test('draws a list of anything', () => {
	const odd = {toString: 1, valueOf: 1};
	expect(card('Todo', {todos: [odd]}, 'ok').length).toBeGreaterThan(0);
	expect(card('Todo', {todos: [[odd]]}, 'ok', false, true).length).toBeGreaterThan(0);
	expect(card('Todo', {todos: [{content: 'a', status: odd}]}, 'ok')).toEqual(['☐ plan 0 of 1 done', '  ☐ a']);
});

test('a failed run shows the lines that failed, wherever they are, and what follows the first', () => {
	const output = `Exit code 1\n${lines(30)}\n\x1b[31m FAIL \x1b[0msrc/a.test.ts > adds\nAssertionError: 1 is not 2`;
	expect(card('Bash', {command: 'npm test'}, output, true)).toEqual([
		'✗ Bash npm test  exit 1',
		'  + 31 lines',
		'   FAIL src/a.test.ts > adds',
		'  AssertionError: 1 is not 2',
	]);
	const rust = `Compiling\n${lines(4)}\nerror[E0502]: cannot borrow\n  --> src/cart.rs:41:5\n${lines(9)}\nerror: could not compile`;
	const rows = rowsOf([use('Bash', {command: 'cargo build'}), result('Bash', rust, true)]).slice(1);
	expect(rows.map(row => lineText(row).slice(4))).toEqual([
		'+ 5 lines',
		'error[E0502]: cannot borrow',
		'  --> src/cart.rs:41:5',
		...['line 0', 'line 1', 'line 2', 'line 3'],
		'+ 5 lines',
		'error: could not compile',
	]);
	expect(rows.map(row => row[2]?.tone)).toEqual(['dim', 'bad', ...Array(6).fill('dim'), 'bad']);
	expect(card('Bash', {command: 'npm test'}, output, true, true).slice(0, 6)).toEqual([
		'✗ Bash npm test  exit 1  33 lines',
		'  FAIL src/a.test.ts > adds',
		'  AssertionError: 1 is not 2',
		'  · · ·',
		'  Exit code 1',
		'  line 0',
	]);
	expect(card('Bash', {command: 'make'}, 'Exit code 2\nnothing known here at all\nand more', true)).toEqual([
		'✗ Bash make  exit 2',
		'  nothing known here at all',
		'  and more',
	]);
	const long = `sh: ${'word '.repeat(20)}end: command not found`;
	expect(card('Bash', {command: 'x'}, long, true)).toHaveLength(3);
	// Some agents report a failed command as a result like any other.
	expect(card('shell', {command: 'x'}, 'sh: 1: x: command not found\nexit code: 127')[0]).toBe(
		'✗ shell x  exit 127',
	);
	expect(card('Read', {file_path: 'none'}, 'File does not exist.', true)).toEqual([
		'✗ Read none  File does not exist.',
	]);
});

test('counts the lines changed in a file, and shows a diff', () => {
	const input = {file_path: 'src/a.ts', old_string: 'one\ntwo\nthree', new_string: 'one\n2\n2.5\nthree'};
	expect(card('Edit', input, 'The file src/a.ts has been updated.')).toEqual([
		'✓ Edit src/a.ts  +2  -1',
		'    one',
		'  - two',
		'  + 2',
		'  + 2.5',
		'    three',
	]);
	expect(card('Edit', input, 'updated', false, true)).toEqual([
		'✓ Edit src/a.ts  +2  -1',
		'    one',
		'  - two',
		'  + 2',
		'  + 2.5',
		'    three',
		'  updated',
	]);
	expect(card('Write', {file_path: 'b', content: 'x\ny\n'}, 'created')).toEqual([
		'✓ Write b  +2',
		'  1 + x',
		'  2 + y',
	]);
	expect(card('Write', {file_path: 'b', content: lines(13)}, 'created')).toEqual([
		'✓ Write b  +13',
		...Array.from({length: 8}, (_, index) => `  ${index + 1} + line ${index}`),
		'  + 5 lines',
	]);
	const edits = [
		{old_string: 'a', new_string: 'b'},
		{old_string: 'c', new_string: ''},
	];
	expect(card('MultiEdit', {file_path: 'f', edits}, 'ok')).toEqual([
		'✓ MultiEdit f  +1  -2',
		...['  - a', '  + b', '  - c'],
	]);
	const patch = '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n same\n--- an old comment\n+new\n';
	expect(card('Edit', {file_path: 'f', old_string: 'x', new_string: 'y'}, patch)).toEqual([
		'✓ Edit f  +1  -1',
		...['  1   same', '  2 - -- an old comment', '  2 + new'],
	]);
	expect(card('Edit', input, 'String to replace not found', true)[0]).toContain('✗ Edit src/a.ts');
});

test('groups small calls in one row, except those that failed or have no result yet', () => {
	const read = (id: string) => use('Read', {file_path: `src/${id}.ts`}, id);
	const content = [
		...['a', 'b'].flatMap(id => [read(id), result(id, lines(4))]),
		use('Grep', {pattern: 'x y'}, 'g'),
		result('g', 'a\nb'),
		read('none'),
		result('none', 'not there', true),
		read('c'),
	];
	expect(rowsOf(content).map(row => lineText(row).slice(2))).toEqual([
		'✓ 2 reads, 1 search  a.ts, b.ts, x y',
		'✗ Read src/none.ts  not there',
		'· Read src/c.ts',
	]);
	expect(isCollapsed(rowsOf(content))).toBe(true);
	expect(rowsOf(content, true).map(row => lineText(row).slice(2))).toContain('✓ Read src/a.ts  4 lines');
});

test('matches results to calls by id, or by the order of calls if there are no ids', () => {
	const pair = (...contents: (readonly ContentItem[])[]) => {
		const pairing = createToolPairing();
		return contents
			.map((content, index) => pairing.add({id: String(index), content}).paired)
			.map(({results}) =>
				[...results].map(([call, {message, index}]) => `${call}:${message.id}.${index}`).join(),
			);
	};
	expect(pair([use('A', {}, 'a'), use('B', {}, 'b')], [result('b', ''), result('a', '')])).toEqual([
		'1:1.0,0:1.1',
		'',
	]);
	const bare = (name: string): ContentItem => ({type: 'tool_use', name, input: {}});
	expect(pair([bare('A'), bare('B')], [result(undefined, '')], [result(undefined, '')])).toEqual([
		'0:1.0,1:2.0',
		'',
		'',
	]);
	// Words close the calls before them, unless an id says otherwise.
	expect(pair([bare('A')], [{type: 'text', text: 'done'}], [result(undefined, '')])).toEqual(['', '', '']);
	expect(pair([use('A', {}, 'a')], [{type: 'text', text: 'hm'}], [result('a', '')])).toEqual([
		'0:2.0',
		'',
		'',
	]);
	// A result may be older than what is loaded, and a call may never get one.
	expect(pair([result('x', '')], [use('A', {}, 'a')])).toEqual(['', '']);
});

test.each([
	['date -u', 'Mon Nov 23 13:00:00 UTC 2026', ['✓ Bash date -u', '  Mon Nov 23 13:00:00 UTC 2026']],
	['date', 'Mon Nov 23 13:00:00 2026', ['✓ Bash date  Mon Nov 23 13:00:00 2026']],
	['date', '2026年11月23日月曜日13時00分', ['✓ Bash date', '  2026年11月23日月曜日13時00分']],
	['x'.repeat(80), '', [`✓ Bash ${'x'.repeat(53)}`, `    ${'x'.repeat(27)}  no output`]],
])('%s: puts its one line of output %s beside it or below', (command, output, expected) => {
	expect(card('Bash', {command}, output)).toEqual(expected);
});

test("doesn't make a line for the empty output of a long command", () => {
	const [head] = card('Bash', {command: 'x'.repeat(80)}, '', false, true);
	expect(head).toMatch(/ {2}no output$/);
});

test('shows how long a call took if its result is in a later message', () => {
	const at = new Date(2026, 10, 21, 14, 2).getTime();
	const pairing = createToolPairing();
	const call = {id: 'c', createdAt: at, content: [use('Bash', {command: 'npm test'})]};
	const {paired} = pairing.add(call);
	pairing.add({id: 'r', createdAt: at + 65_000, content: [result('Bash', 'ok')]});
	const entry = {kind: 'message', id: 'c', message: call, role: 'assistant'} as const;
	const rows = messageRows(entry, {width: 62, isExpanded: false, messages: [paired]});
	expect(rows.map(lineText)).toEqual(['  ✓ Bash npm test  ok  1m 05s']);
});

test('the time for a long name or step grows in proportion to its length', () => {
	expect(card(`mcp__${'_'.repeat(200_000)}\n`, {})[0]).toContain('____');
	expect(card('Todo', {todos: [`1. [x] ${' '.repeat(200_000)}a\nb`]})).toHaveLength(1);
});

test('shows a progress bar that is drawn again as one row', () => {
	const bar = Array.from({length: 300}, (_, index) => `\u001b[2K\u001b[1Gfetched ${index}`).join('\r');
	const output = `${bar}\nadded 3 packages`;
	const rows = ['fetched 299', 'added 3 packages'].map(row => `  ${row}`);
	expect(card('Bash', {command: 'npm ci'}, output)).toEqual(['✓ Bash npm ci', ...rows]);
	expect(card('Bash', {command: 'npm ci'}, output, true).slice(1)).toEqual(rows);
	expect(card('Bash', {command: 'npm ci'}, output, false, true).slice(1)).toEqual(rows);
});

test('says that a change has more lines than its input', () => {
	const [head = ''] = card('Write', {file_path: 'a', content: `x\n${'y'.repeat(80)} [cut]`}, 'created');
	expect(head).toMatch(/\+2 {2}or more$/);
});

test('shows the step at work among the first of a long plan, and counts the others', () => {
	const todos = Array.from({length: 300}, (_, index) => ({
		content: `step ${index}`,
		status: index < 40 ? 'completed' : index === 40 ? 'in_progress' : 'pending',
	}));
	const rows = card('TodoWrite', {todos});
	expect(rows[0]).toContain('40 of 300 done');
	expect(rows.slice(1).map(row => row.trim())).toEqual([
		...Array.from({length: 9}, (_, index) => `☑ step ${index + 31}`),
		'▸ step 40  + 290 lines',
	]);
	expect(card('TodoWrite', {todos}, 'ok', false, true).at(-1)).toContain('+ 100 lines');
});
