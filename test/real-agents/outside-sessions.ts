import {execFile, spawnSync} from 'node:child_process';
import {existsSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {builtCli, limit, startClaudeHome} from './claude-home.ts';

/**
 * `node test/real-agents/outside-sessions.ts`: runs the real Claude Code in tmux without hooks, and the built program
 * beside it: listed, followed, gone to, continued after its end, and one row with hooks. Prints each finding; ends with 1
 * when one is missed. Run `npm run build` first.
 */

const {home, work, env, check, open, run} = await startClaudeHome();
env.TMUX_TMPDIR = home;
const made = join(work, 'made-by-tool');
const isWaiting = /Do you want to proceed\?/;

const tmux = (...args: string[]) =>
	spawnSync('tmux', ['-f', '/dev/null', ...args], {env, cwd: work, encoding: 'utf8', timeout: limit}).stdout;
/** Without blocking: the model's stand-in runs in this process. */
const cli = async (...args: string[]) => {
	const options = {env, timeout: limit, killSignal: 'SIGKILL' as const};
	return (await promisify(execFile)(process.execPath, [builtCli, '--local', '--json', ...args], options))
		.stdout;
};
const rows = async () =>
	(await cli('sessions', 'list'))
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as {readonly quarterdeck: {readonly state: string}});

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<number> {
	const from = Date.now();
	while (!(await isTrue())) {
		if (Date.now() - from > limit) throw new Error(`no ${what}`);
		await new Promise(next => setTimeout(next, 25));
	}
	return Date.now() - from;
}

/** A client in a tmux session of its own. */
async function startClient(name: string) {
	tmux('new-session', '-d', '-s', name, '-x', '120', '-y', '40', 'claude --permission-mode default');
	const screen = () => tmux('capture-pane', '-p', '-t', name);
	const see = (what: RegExp) => until(`${what} in the client`, () => what.test(screen()));
	await see(/for shortcuts/);
	return {
		see,
		gone: (what: RegExp) => until(`end of ${what}`, () => !what.test(screen())),
		press: (key: string) => tmux('send-keys', '-t', name, key),
		async say(words: string) {
			tmux('send-keys', '-t', name, '-l', words);
			await see(new RegExp(`❯\\s${words}`));
			tmux('send-keys', '-t', name, 'Enter');
		},
	};
}

const isEnded = ({quarterdeck: {state}}: Awaited<ReturnType<typeof rows>>[number]) => state === 'ended';

await run(async () => {
	try {
		await stories();
	} finally {
		tmux('kill-server');
	}
});

async function stories(): Promise<void> {
	const deck = `'${process.execPath}' '${builtCli}' --local`;
	const program = open('tmux', [
		'-f',
		'/dev/null',
		'new-session',
		'-s',
		'deck',
		'-x',
		'120',
		'-y',
		'40',
		deck,
	]);
	await program.see(/Needs you/);
	const client = await startClient('client');
	const listed = await program.see(/○ claude work/);
	check('listed without hooks', listed < 2000, `${listed} ms after its first screen`);

	await client.say('the word is banana');
	await client.see(/You said/);
	await program.see(/claude the word is banana/);
	check('named by its first words', true);

	await program.see(/0 working +1 idle/);
	program.write(' ');
	await program.see(/Reply to/);
	program.write('typed from elsewhere');
	await program.see(/> typed from elsewhere/);
	program.write('\r');
	await program.see(/Seen: its transcript has the message/);
	await client.see(/❯ typed from elsewhere[\s\S]*You said/);
	check('a message is typed into its pane', true);

	await client.say('TOOL 1');
	await client.see(isWaiting);
	const waiting = await program.see(/asks · permission prompt/);
	check('a prompt is shown within 2 s', waiting < 2000, `${waiting} ms`);
	// The client ignores keys for a moment after a prompt appears.
	await new Promise(next => setTimeout(next, 1000));
	client.press('1');
	await client.gone(isWaiting);
	const answered = await program.see(/nothing needs you/);
	check('an answer in its own terminal: the row follows within 2 s', answered < 2000, `${answered} ms`);
	await client.see(/RESULT-SEEN/);
	check('the file is made', existsSync(made));
	rmSync(made, {force: true});

	await client.say('SLOW');
	await client.see(/word2/);
	const working = await program.see(/1 working/);
	check('a turn is shown as working', working < 2000, `${working} ms after its second word`);
	client.press('Escape');
	await client.see(/Interrupted/);
	const idle = await program.see(/0 working/);
	check('a turn that is interrupted is idle within 2 s', idle < 2000, `${idle} ms`);

	await client.say('TOOL 2');
	await client.see(isWaiting);
	await program.see(/asks · permission prompt/);
	client.press('Escape');
	await client.gone(isWaiting);
	const over = await program.see(/nothing needs you/);
	check('Esc in its own terminal: the row follows within 2 s', over < 2000, `${over} ms`);
	check('the file is not made', !existsSync(made));

	// Before the embedded service's agent has a file, too.
	const [file = ''] = readdirSync(join(home, '.claude/sessions'));
	const [computer] = (await cli('computers', 'list')).trim().split('\n');
	const {id: computerId} = JSON.parse(`${computer}`) as {readonly id: string};
	const created = await cli(
		'sessions',
		'create',
		'--computer-id',
		computerId,
		'--cwd',
		work,
		'--agent',
		'claude',
	);
	const {sessionId: ours} = JSON.parse(created) as {readonly sessionId: string};
	await cli('send', ours, 'hello', '--wait');
	await new Promise(next => setTimeout(next, 6000));
	check('an agent of the embedded service makes no second row', (await rows()).length === 2);
	await cli('sessions', 'forget', ours);
	await program.gone(/hello/);
	await program.see(/▌○ claude the word is banana/);

	program.write('J');
	await program.see(/Interrupted ·/);
	check('the jump lands in its pane', true);
	tmux('switch-client', '-t', 'deck');
	await program.see(/○ claude the word is banana/);

	process.kill(Number.parseInt(file, 10), 'SIGKILL');
	const ended = await program.see(/· claude the word is banana/);
	check('a client that is killed has ended', ended < 6000, `${ended} ms`);
	program.write('C');
	await program.see(/Continued here/);
	program.write('RECALL');
	await program.see(/> RECALL/);
	program.write('\r');
	await program.see(/recalled: true/);
	check('continued here, it remembers', /claude continues its session/.test(program.screen()));
	const states = (await rows()).map(({quarterdeck: {state}}) => state);
	check('its old row and the new one stand in the list', states.length === 2, states.join(' '));

	await cli('hooks', 'install', '--yes', '--client', 'claude');
	const hooked = await startClient('hooked');
	await hooked.say('a session with hooks');
	await hooked.see(/You said/);
	await program.see(/claude a session with/);
	await hooked.say('TOOL 3');
	await hooked.see(isWaiting);
	await program.see(/1 needs you/);
	hooked.press('Escape');
	await hooked.gone(isWaiting);
	await program.see(/nothing needs you/);
	check('with hooks, too, one row', (await rows()).length === 3);
	await hooked.say('/exit');
	await until('end of the client', () => !tmux('list-sessions').includes('hooked'));
	await until('end of its row', async () => (await rows()).filter(isEnded).length === 2);
	check('an exit ends its row', true);
	program.write('\x03\x03');
	await until('end of the program', () => !tmux('list-sessions').includes('deck'));
}
