import {describe, expect, test} from 'vitest';
import {
	type AgentRequest,
	noOption,
	onceOption,
	questionOptions,
} from '../../src/domain/sessions/agent-request.ts';
import {heldWait} from '../../src/ui/dialogs/dialog-module.ts';
import {asks, fleet, knownComputer, knownSession, noon, permission, signal} from '../support/fleet.ts';
import {openRequests as open, type RequestsScreenOptions} from '../support/requests-screen.ts';
import {has} from '../support/screen.tsx';

const question: AgentRequest = {
	...permission,
	kind: 'question',
	tool: 'AskUserQuestion',
	text: 'Which color?\n- Red\n- Blue: like the sky',
	options: questionOptions,
	questions: [
		{text: 'Which color?', choices: [{label: 'Red'}, {label: 'Blue', description: 'like the sky'}]},
	],
};

async function openDialog(options: RequestsScreenOptions = {}) {
	const opened = await open(options);
	await opened.screen.press('!');
	await opened.screen.until(rows => /Words to the agent|Your answer|─ Answer question/.test(rows.join('')));
	return {
		...opened,
		/** Presses a key that answers, long enough ago not to be held. */
		async answer(key: string) {
			await opened.screen.press(key);
			await opened.clock.advance(heldWait);
		},
	};
}

describe('a permission', () => {
	test('is answered once by y, and only half a second after it appears', async () => {
		const {screen, clock, answers, answer} = await openDialog();
		expect((await screen.rows()).join('\n')).toMatch(/rm -r build[\s\S]*make/);
		await clock.advance(499);
		await screen.press('y');
		await screen.until(has('came too soon'));
		// An early key makes all keys wait again, and they are named from the moment that they count.
		await clock.advance(499);
		expect((await screen.rows()).join('\n')).not.toContain('allow once');
		await clock.advance(1);
		await screen.until(has('y allow once'));
		await answer('y');
		await screen.until(has('Allowed once'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'once'}]);
		expect((await screen.rows()).join('\n')).not.toContain('Words to the agent');
	});

	test.each(['y', 'n', '\r'])(
		'%j before it is shown is not its answer, and the dialog says so',
		async key => {
			const {screen, service, answers, clock} = await open();
			const read = Promise.withResolvers<void>();
			service.reading = read.promise;
			await screen.press('!', key);
			await screen.until(has('came too soon'));
			read.resolve();
			await screen.until(has('rm -r build', 'came too soon'));
			await clock.advance(1000);
			expect(answers).toEqual([]);
		},
	);

	test('is not answered by a key that is held, however long', async () => {
		const {screen, clock, answers, answer} = await openDialog();
		await clock.advance(500);
		for (let repeat = 0; repeat < 30; repeat++) {
			await screen.press('y');
			await clock.advance(33);
		}
		await screen.until(has('A held or repeated key answers nothing'));
		await clock.advance(500);
		expect(answers).toEqual([]);
		await answer('y');
		await screen.until(has('Allowed once'));
	});

	test('lists what each answer changes, and has a key for each', async () => {
		const options = [
			onceOption,
			{word: 'always', label: 'always allow', allows: true, changes: ['allow Bash(make:*), for ever']},
			{word: 'mode', label: 'allow, and switch to mode acc\u0435pt', allows: true, changes: ['mode all']},
			{word: 'option-4', label: 'Allow EVERY tool', allows: true},
			{word: 'never', label: 'Never ask again', allows: false},
			noOption,
		];
		const warnings = ["notes.md leads to /home/u/.bashrc, outside the session's folder"];
		const {screen, clock, answers, answer} = await openDialog({
			requests: [{...permission, text: 'make', warnings, options}],
			size: [120, 40],
		});
		await clock.advance(500);
		const rows = (await screen.until(has('y allow once'))).join('\n');
		expect(rows).toMatch(/! notes\.md leads to \/home\/u\/\.bashrc[\s\S]*make/);
		expect(rows).toMatch(
			/a always allow +│ *\n.*\+ allow Bash\(make:\*\), for ever +│ *\n.*1 allow, and switch to mode accе<U\+0435>pt +│ *\n.*\+ mode all/,
		);
		expect(rows).toMatch(/2 Allow EVERY tool[\s\S]*3 Never ask again/);
		await answer('1');
		await screen.until(has('Allowed: mode all'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'mode'}]);
	});

	test('has marks where a line goes on, which no other line can have', async () => {
		const shown = async (text: string) => {
			const {screen} = await openDialog({requests: [{...permission, text}], size: [120, 40]});
			const rows = (await screen.rows()).map(row => row.trim().replaceAll(/ +/g, ' '));
			screen.close();
			return rows.join('\n');
		};
		const [comment, path] = [`# ${'x'.repeat(102)}`, `${'a'.repeat(103)}/`];
		expect(await shown(`${comment} rm -rf b`)).not.toBe(await shown(`${comment}\nrm -rf b`));
		expect(await shown(`${path} b`)).not.toBe(await shown(`${path}b`));
		expect(await shown(`${comment} rm -rf b`)).toContain('↳ rm -rf b');
	});

	test('shows what looks like a secret', async () => {
		const text = 'TOKEN="$(rm -rf ~)" make';
		const {screen} = await openDialog({requests: [{...permission, text}]});
		await screen.until(has(text));
	});

	test('names its tool in full', async () => {
		const tool = `mcp__${'server_'.repeat(6)}_delete_file`;
		const {screen} = await openDialog({requests: [{...permission, tool}], size: [120, 40]});
		await screen.until(has(`Tool: ${tool}`));
	});

	test('can be allowed only after all that an answer changes was on the screen', async () => {
		const changes = Array.from({length: 40}, (_, index) => `allow rule ${index}`);
		const options = [onceOption, {word: 'always', label: 'always allow', allows: true, changes}, noOption];
		const {screen, clock, answers, answer} = await openDialog({requests: [{...permission, options}]});
		await clock.advance(500);
		await answer('a');
		await screen.until(has('Read the request to its end first'));
		expect(answers).toEqual([]);
	});

	test('ignores other keys, pasted text and keys read together', async () => {
		const {screen, clock, answers, parts} = await openDialog();
		await clock.advance(500);
		await screen.press('\r', ' ', '!', 'yy', 'yes', '\x1b[200~y\x1b[201~', 'Y', 'j', 'k');
		await clock.advance(500);
		await screen.press('\x0ey');
		await clock.advance(heldWait);
		expect(answers).toEqual([]);
		expect(parts.view.getState().page).toBe('work');
		await screen.press('\x1b');
		await screen.until(rows => !has('Words to the agent')(rows));
		expect(answers).toEqual([]);
	});

	test('stays the same when another one arrives', async () => {
		const {screen, clock, answers, service, setActivity, answer} = await openDialog();
		service.requests.unshift({...permission, id: 'r0', text: 'curl evil', createdAt: noon - 1});
		setActivity({...asks, newestId: 'm2', derivedFrom: 'm2', words: 'Bash: curl evil'});
		await clock.advance(500);
		expect((await screen.until(has('rm -r build'))).join('')).not.toContain('came too soon');
		await answer('y');
		await screen.until(has('Allowed once'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'once'}]);
	});

	test('says when it is over, and takes no answer after that', async () => {
		const {screen, clock, answers, service, setActivity} = await openDialog();
		await clock.advance(500);
		expect((await screen.rows()).at(-1)).toContain('Tab write');
		service.requests.splice(0, 1, {...permission, id: 'r2', text: 'curl evil'});
		setActivity({...asks, newestId: 'm2', derivedFrom: 'm2', words: 'Bash: curl evil'});
		await screen.until(has('This request is over'));
		expect((await screen.rows()).at(-1)).not.toContain('Tab write');
		await screen.press('y', 'a', 'n');
		expect(answers).toEqual([]);
		expect((await screen.rows()).join('\n')).toContain('rm -r build');
	});

	test.each([
		['Enter in their field', ['\r']],
		['n outside it', ['\t', 'n']],
	])('is denied with words by %s, without a wait; keys typed there answer nothing', async (_, keys) => {
		const {screen, clock, answers} = await openDialog();
		await clock.advance(500);
		await screen.press('\t', 'n', '\r', 'a', 'y');
		await clock.advance(heldWait);
		expect(answers).toEqual([]);
		await screen.until(has('Enter deny with these words   Tab back'));
		await screen.press('\t', 'y');
		await screen.until(has('Your words are sent only with a denial'));
		await screen.press('\t', ...keys);
		await clock.advance(heldWait);
		await screen.until(has('Denied'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'no', words: 'nay'}]);
	});

	test.each([
		['y', 'once', 'Allowed once'],
		['a', 'always', 'Allowed: allow'],
	])(
		'must be read to its end before %s counts if it is longer than the dialog; n always counts',
		async (key, option, answered) => {
			const text = Array.from({length: 60}, (_, index) => `step ${index}`).join('\n');
			const requests = [
				{...permission, text},
				{...permission, id: 'r2', text},
			];
			const {screen, clock, answers, answer} = await openDialog({requests});
			await clock.advance(500);
			await screen.until(has('to the end, then you can allow it'));
			await screen.press(key);
			await screen.until(has('Read the request to its end first'));
			for (let page = 0; page < 8; page++) await screen.press('\x1b[6~');
			await screen.until(has('step 59'));
			// What was read may be looked at again.
			await screen.press('\x1b[5~');
			await screen.until(rows => !has('step 59')(rows));
			await answer(key);
			await screen.until(has(answered));
			expect(answers).toEqual([{sessionId: 's1', id: 'r1', option}]);
			await screen.press('!');
			await screen.until(has('to the end, then you can allow it'));
			await clock.advance(500);
			await answer('n');
			await screen.until(has('Denied'));
			expect(answers[1]).toEqual({sessionId: 's1', id: 'r2', option: 'no'});
		},
	);

	test('shows invisible characters', async () => {
		const {screen} = await openDialog({requests: [{...permission, text: 'ls\u200b-a'}]});
		const rows = await screen.until(has('ls<U+200B>-a'));
		expect(rows.join('\n')).toContain('Characters that are invisible, or look like others');
	});

	test.each([`${'x\n'.repeat(140_000)}rm -rf ~`, `${'\u200b'.repeat(40_000)}rm -rf ~`])(
		"can only be denied if it isn't shown whole, whatever the service offers",
		async text => {
			const {screen, clock, answers} = await openDialog({requests: [{...permission, text}]});
			await clock.advance(500);
			await screen.until(has('too long to show, so it can only be denied   n deny'));
			await screen.press('\x1b[F', 'y', 'a');
			await screen.until(has("doesn't offer that answer"));
			expect(answers).toEqual([]);
		},
	);

	test("stays on the screen and says that the others can't be read now", async () => {
		const requests = ['r1', 'r2'].map(id => ({...permission, id, text: `make ${id}`}));
		const {screen, service} = await openDialog({requests});
		await screen.until(rows => /Bash · 1 of 2/.test(rows.join('')));
		service.isDown = true;
		await screen.press(']');
		const rows = await screen.until(has("requests can't be read now"));
		expect(rows.join('\n')).toContain('make r1');
		expect(rows.join('\n')).not.toContain('No other request');
		service.isDown = false;
		await screen.press(']');
		await screen.until(has('make r2'));
	});

	test('says which of several it is; each is answered on its own', async () => {
		const requests = ['r1', 'r2', 'r3'].map(id => ({...permission, id, text: `make ${id}`}));
		const {screen, clock, answers, service, setActivity, answer} = await openDialog({requests});
		await screen.until(rows => /Answer request · Bash · 1 of 3/.test(rows.join('')));
		service.requests.push({...permission, id: 'r4', text: 'make r4'});
		setActivity({...asks, newestId: 'm4', derivedFrom: 'm4', changedAt: noon + 1});
		const rows = await screen.until(rows => /Bash · 1 of 4/.test(rows.join('')));
		expect(rows.join('')).toContain('make r1');
		await clock.advance(500);
		await answer('y');
		await screen.until(has('Allowed once'));
		await screen.press('!');
		await screen.until(rows => /Bash · 1 of 3/.test(rows.join('')) && has('make r2')(rows));
		await clock.advance(500);
		await answer('n');
		await screen.until(has('Denied'));
		expect(answers).toEqual([
			{sessionId: 's1', id: 'r1', option: 'once'},
			{sessionId: 's1', id: 'r2', option: 'no'},
		]);
	});

	test('lets ] and [ go to the others, whose keys wait, too', async () => {
		const requests = ['r1', 'r2', 'r3'].map(id => ({...permission, id, text: `make ${id}`}));
		const {screen, clock, answers, answer} = await openDialog({requests});
		await clock.advance(500);
		await screen.until(has('] next request'));
		await screen.press(']');
		await screen.until(rows => has('2 of 3')(rows) && has('make r2')(rows));
		await screen.press('y');
		await screen.until(has('came too soon'));
		await screen.press('[', '[');
		await screen.until(rows => has('3 of 3')(rows) && has('make r3')(rows));
		await clock.advance(500);
		await screen.until(has('y allow once'));
		await answer('y');
		await screen.until(has('Allowed once'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r3', option: 'once'}]);
	});

	test('must be read to its end even if a shorter one was seen whole before it', async () => {
		const text = Array.from({length: 60}, (_, index) => `step ${index}`).join('\n');
		const {screen, clock, answers} = await openDialog({
			requests: [permission, {...permission, id: 'r2', text}],
		});
		await clock.advance(500);
		await screen.until(has('y allow once'));
		await screen.press(']');
		await screen.until(has('2 of 2'));
		await clock.advance(500);
		await screen.press('y');
		await screen.until(has('Read the request to its end first'));
		expect(answers).toEqual([]);
	});

	test('keeps the words written for it: ] asks to send or delete them first', async () => {
		const requests = [question, {...permission, id: 'r2'}];
		const {screen, clock} = await openDialog({requests});
		await clock.advance(500);
		await screen.press('\t', 'R', 'e', 'd', '\t', ']');
		await screen.until(has('Send your words, or delete them'));
		await screen.until(has('Your answer  Red'));
	});

	test('leads to the next one when it is over', async () => {
		const {screen, clock, service, setActivity} = await openDialog();
		await clock.advance(500);
		service.requests.splice(0, 1, {...permission, id: 'r2', text: 'curl evil'});
		setActivity({...asks, newestId: 'm2', derivedFrom: 'm2', words: 'Bash: curl evil'});
		await screen.until(rows => has('This request is over')(rows) && has('] next request')(rows));
		await screen.press(']');
		await screen.until(rows => has('curl evil')(rows) && !has('This request is over')(rows));
	});
});

describe('a question', () => {
	const activity = {...asks, isQuestion: true, words: 'Which color?'} as const;

	test('is a list with the cursor on its first answer; keys move and choose', async () => {
		const {screen, clock, answers, answer} = await openDialog({requests: [question], activity});
		const rows = await screen.until(has('Write your own answer'));
		const shown = rows.map(row => row.replaceAll(/^│|│$/g, '').trimEnd()).join('\n');
		expect(shown).toContain(
			'\n  Which color?\n\n▌1 Red\n 2 Blue\n   like the sky\n 3 Write your own answer\n',
		);
		await answer('\r');
		await screen.until(has('came too soon'));
		await clock.advance(500);
		await screen.until(has('Enter send   1-2 answer at once'));
		await screen.press('y');
		await screen.press('j', 'j', 'j', 'k');
		await screen.until(has('▌2 Blue'));
		await answer('\r');
		await screen.until(has('Answered'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'once', words: 'Blue'}]);
	});

	test.each([
		['2', {option: 'once', words: 'Blue'}],
		['n', {option: 'no'}],
	])('is answered by %s', async (key, values) => {
		const {screen, clock, answers, answer} = await openDialog({requests: [question], activity});
		await clock.advance(500);
		await answer(key);
		await screen.until(rows => !has('─ Answer question')(rows));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', ...values}]);
	});

	test('takes words of your own at the last row of its list', async () => {
		const {screen, clock, answers, answer} = await openDialog({requests: [question], activity});
		await clock.advance(500);
		await screen.press('3');
		await screen.until(has('Your answer'));
		await clock.advance(500);
		await answer('\r');
		await screen.until(has('Type an answer first'));
		await screen.press('j', '2', 'n');
		await screen.until(has('Your answer  j2n'));
		await answer('\x13');
		await screen.until(has('Answered'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'once', words: 'j2n'}]);
	});

	test('that takes several answers has marks for them', async () => {
		const [only] = question.questions ?? [];
		const questions = only && [{...only, takesSeveral: true}];
		const {screen, clock, answers, answer} = await openDialog({
			requests: [{...question, questions}],
			activity,
		});
		await clock.advance(500);
		await screen.press('2', '1', ' ', ' ');
		await screen.until(rows => has('1 ☑ Red')(rows) && has('2 ☑ Blue')(rows));
		await answer('\r');
		await screen.until(has('Answered'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'once', words: 'Red, Blue'}]);
	});

	test('of several is asked one after the other, and each gets its answer', async () => {
		const questions = [
			...(question.questions ?? []),
			{text: 'Which size?', choices: [{label: 'S'}, {label: 'L'}]},
			{text: 'What name?', choices: []},
		];
		const {screen, clock, answers, answer} = await openDialog({
			requests: [{...question, questions}],
			activity,
		});
		await screen.until(has('question 1/3'));
		await clock.advance(500);
		await answer('1');
		await screen.until(has('question 2/3'));
		await screen.press('\x7f');
		await screen.until(has('question 1/3'));
		await clock.advance(500);
		await answer('2');
		await screen.until(has('question 2/3'));
		await clock.advance(500);
		await answer('2');
		await screen.until(has('What name?'));
		await clock.advance(500);
		await screen.press('A', 'n', 'n');
		await screen.until(has('Your answer  Ann'));
		await answer('\r');
		await screen.until(has('Answered'));
		expect(answers).toEqual([{sessionId: 's1', id: 'r1', option: 'once', answers: ['Blue', 'L', 'Ann']}]);
	});

	test('whose answers are below the screen shows them before they count', async () => {
		const text = Array.from({length: 60}, (_, index) => `reason ${index}`).join('\n');
		const questions = [{text, choices: [{label: 'Red'}, {label: 'Blue'}]}];
		const {screen, clock, answers, answer} = await openDialog({
			requests: [{...question, questions}],
			activity,
		});
		await clock.advance(500);
		await screen.until(has('reason 0'));
		await answer('2');
		await screen.until(has('▌2 Blue'));
		expect(answers).toEqual([]);
		await answer('2');
		await screen.until(has('Answered'));
		expect(answers).toMatchObject([{words: 'Blue'}]);
	});

	test('gets a choice exactly as its agent named it', async () => {
		const label = 'Dark\n\u200bblue ';
		const {screen, clock, answers, answer} = await openDialog({
			requests: [{...question, questions: [{text: 'Which?', choices: [{label}], takesOnlyChoices: true}]}],
			activity,
		});
		await clock.advance(500);
		expect((await screen.until(has('▌1 Dark'))).join('')).not.toContain('Write your own');
		await answer('\r');
		await screen.until(has('Answered'));
		expect(answers).toMatchObject([{words: label}]);
	});
});

test('the key opens the oldest request where the cursor has none', async () => {
	const {screen, parts, setActivity} = await open();
	parts.view.setState({cursor: {section: 'computers', id: 'c1'}});
	await screen.press('!');
	await screen.until(has('rm -r build'));
	expect(parts.view.getState().cursor?.id).toBe('s1');
	await screen.press('\x1b');
	const asking = knownSession('s1', {computerId: 'c1', name: 'api', activity: asks});
	parts.stores.fleet.setState(fleet([asking, knownSession('s2', {name: 'web'})], [knownComputer('c1')]));
	parts.view.setState({cursor: {section: 'sessions', id: 's2'}});
	await screen.press('!');
	await screen.until(has('rm -r build'));
	await screen.press('\x1b');
	setActivity({...asks, state: 'done', evidence: 'answer'});
	await screen.press('!');
	await screen.until(has('No agent waits for an answer'));
});

test('the key replies to a session that asks in words, though another has a request', async () => {
	const {screen, parts} = await open();
	const words = {...asks, evidence: 'answer', words: 'Which branch?'} as const;
	const sessions = [
		knownSession('s1', {name: 'api', activity: asks}),
		knownSession('s2', {name: 'web', activity: words}),
	];
	parts.stores.fleet.setState(fleet(sessions, [knownComputer('c1')]));
	parts.view.setState({cursor: {section: 'needs', id: 's2'}});
	await screen.press('!', 'main');
	await screen.until(has('Reply to web', '> main'));
	expect(parts.view.getState().dialogs).toEqual([]);
	await screen.press('\x1b');
	parts.stores.fleet.setState(fleet(sessions.slice(1), [knownComputer('c1')]));
	parts.view.setState({cursor: {section: 'computers', id: 'c1'}});
	await screen.press('!');
	await screen.until(has('No agent waits for a permission'));
});

test('once a request is answered, the cursor is on the next session that needs the user, not on the answered one', async () => {
	const {screen, parts, clock, answers} = await open();
	const asking = (id: string) => knownSession(id, {name: id, activity: asks});
	parts.stores.fleet.setState(fleet([asking('s1'), asking('s2')], [knownComputer('c1')]));
	await screen.press('!');
	await screen.until(has('rm -r build'));
	await clock.advance(500);
	await screen.press('y');
	await clock.advance(heldWait);
	await screen.until(has('Allowed once'));
	const working = {...asks, state: 'working', evidence: 'tool-call'} as const;
	parts.stores.fleet.setState(
		fleet([knownSession('s1', {name: 's1', activity: working}), asking('s2')], [knownComputer('c1')]),
	);
	expect(parts.view.getState().cursor).toEqual({section: 'needs', id: 's2'});
	expect(answers).toHaveLength(1);
});

test('the key says where a session outside the service can be answered', async () => {
	const {screen, parts} = await open();
	const outside = signal('s2', 'needs-permission', {process: {pid: 1}});
	parts.stores.fleet.setState(fleet([knownSession('s1', {name: 'api', activity: asks})], [], [outside]));
	parts.view.setState({cursor: {section: 'needs', id: 's2'}});
	await screen.press('!');
	await screen.until(has('Answer this session in its own terminal: J jumps there'));
});

test('a session that the service does not have has no request', async () => {
	const {screen, service} = await open();
	service.hasSession = false;
	await screen.press('!');
	await screen.until(has('No request is open here any more'));
});
