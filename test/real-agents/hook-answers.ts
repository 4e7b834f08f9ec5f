import {execFileSync} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {startModel} from './model.ts';

/**
 * `node test/real-agents/hook-answers.ts`: runs the real Claude Code in a pty with the hooks of `hooks install --answer`,
 * answers its permission prompts from the built program in another one, and reads its transcript there. Prints each finding; ends with 1 when one is
 * missed. Run `npm run build` first; `REAL_AGENTS_BIN` names a folder of installed clients, to use these.
 */

const builtCli = resolve(import.meta.dirname, '../../dist/cli.cjs');
const top = realpathSync(mkdtempSync(join(tmpdir(), 'quarterdeck-answers-')));
const [home, work, runtime] = [join(top, 'home'), join(top, 'work'), join(top, 'run')];
for (const folder of [home, work, runtime, join(home, '.claude')]) mkdirSync(folder, {mode: 0o700});
const model = await startModel();
const made = join(work, 'made-by-tool');
const limit = 30_000;
let missed = 0;

function check(what: string, isGood: boolean, found = ''): void {
	if (!isGood) missed++;
	process.stdout.write(`${isGood ? 'ok    ' : 'MISSED'} ${what}${found && ` (${found})`}\n`);
}

function install(): string {
	if (process.env.REAL_AGENTS_BIN) return process.env.REAL_AGENTS_BIN;
	const args = ['install', '--prefix', top, '--no-audit', '--no-fund', '@anthropic-ai/claude-code@2.1.197'];
	execFileSync('npm', args, {stdio: 'inherit'});
	return join(top, 'node_modules/.bin');
}

const env: Record<string, string> = {
	HOME: home,
	PATH: `${install()}:${process.env.PATH}`,
	TMPDIR: top,
	XDG_RUNTIME_DIR: runtime,
	LANG: 'C.UTF-8',
	TERM: 'xterm-256color',
	SHELL: '/bin/sh',
	ANTHROPIC_BASE_URL: model.url,
	ANTHROPIC_AUTH_TOKEN: 'any',
	ANTHROPIC_MODEL: 'mock',
	ANTHROPIC_SMALL_FAST_MODEL: 'mock',
	CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
	CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
	DISABLE_AUTOUPDATER: '1',
	DISABLE_TELEMETRY: '1',
	DISABLE_ERROR_REPORTING: '1',
};
const trusted = {hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true};
writeFileSync(
	join(home, '.claude.json'),
	JSON.stringify({hasCompletedOnboarding: true, projects: {[work]: trusted}}),
);

type Pty = {
	readonly pid: number;
	screen(): string;
	write(text: string): void;
	see(what: RegExp): Promise<number>;
	gone(what: RegExp): Promise<number>;
	kill(signal?: string): void;
};

function open(file: string, args: string[]): Pty {
	const screen = new xterm.Terminal({cols: 120, rows: 40, allowProposedApi: true});
	const child = spawn(file, args, {cols: 120, rows: 40, cwd: work, env});
	child.onData(data => screen.write(data));
	screen.onData(data => child.write(data));
	const text = () =>
		Array.from({length: 40}, (_, row) =>
			screen.buffer.active.getLine(screen.buffer.active.baseY + row)?.translateToString(true),
		).join('\n');
	/** Resolves to how long it took, ms. */
	const until = async (isTrue: () => boolean, what: string) => {
		const from = Date.now();
		while (!isTrue()) {
			if (Date.now() - from > limit) throw new Error(`no ${what} on the screen:\n${text()}`);
			await new Promise(next => setTimeout(next, 25));
		}
		return Date.now() - from;
	};
	return {
		pid: child.pid,
		screen: text,
		write: input => child.write(input),
		see: what => until(() => what.test(text()), `${what}`),
		gone: what => until(() => !what.test(text()), `end of ${what}`),
		kill: signal => child.kill(signal),
	};
}

const isWaiting = /Do you want to proceed\?/;
const raised = /approve · Bash: touch made/;

/** Lets the client ask for `touch made-by-tool`, and waits until both sides show it. */
async function ask(client: Pty, program: Pty, number: number): Promise<void> {
	rmSync(made, {force: true});
	client.write(`TOOL ${number}`);
	await client.see(new RegExp(`❯\\sTOOL ${number}`));
	client.write('\r');
	await client.see(isWaiting);
	const ms = await program.see(raised);
	check(`request ${number} is shown within 2 s`, ms < 2000, `${ms} ms after the client's own prompt`);
}

async function answer(program: Pty, key: string): Promise<void> {
	program.write('!');
	await program.see(/y allow once/);
	await new Promise(next => setTimeout(next, 700));
	program.write(key);
}

/** Whether the tool makes its file in time. */
async function isMade(): Promise<boolean> {
	for (const end = Date.now() + limit; Date.now() < end && !existsSync(made); )
		await new Promise(next => setTimeout(next, 25));
	return existsSync(made);
}

/** Whether the client's own file says that its turn is over. */
function isIdle(): boolean {
	const folder = join(home, '.claude/sessions');
	return readdirSync(folder).some(name =>
		readFileSync(join(folder, name), 'utf8').includes('"status":"idle"'),
	);
}

/** Waits until the client has finished its turn, and the program shows it. */
async function settle(client: Pty, program: Pty): Promise<void> {
	await client.gone(isWaiting);
	for (const end = Date.now() + limit; !isIdle() && Date.now() < end; )
		await new Promise(next => setTimeout(next, 25));
	await program.see(/nothing needs you/);
	// The client draws its empty prompt after that.
	await new Promise(next => setTimeout(next, 500));
}

function newestTranscript(): string {
	const folder = join(home, '.claude/projects');
	const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name =>
		/^[^/]+\/[^/]+\.jsonl$/.test(name),
	);
	const paths = files.map(name => join(folder, name));
	return paths.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? '';
}

type Block = {
	readonly text?: string;
	readonly thinking?: string;
	readonly content?: string | readonly Block[];
};

function textsOf(content: string | readonly Block[] = []): string[] {
	if (typeof content === 'string') return [content];
	return content.flatMap(({text, thinking, content}) => [text ?? thinking ?? textsOf(content).join('\n')]);
}

/** The texts of messages, without the client's own commands, as its file has them. */
function writtenTexts(path: string): string[] {
	const lines = readFileSync(path, 'utf8').trim().split('\n');
	return lines.flatMap(line => {
		const {type, isMeta, message} = JSON.parse(line);
		if ((type !== 'user' && type !== 'assistant') || isMeta) return [];
		return textsOf(message.content).filter(text => text !== '' && !text.startsWith('<'));
	});
}

/** The same as the program prints them. */
function printedTexts(output: string): string[] {
	return output
		.trim()
		.split('\n')
		.map(line => JSON.parse(line))
		.filter(({isUserVisible, author}) => isUserVisible !== false && author !== 'system')
		.flatMap(({content}) => textsOf(content))
		.filter(text => text !== '' && !text.startsWith('/'));
}

try {
	execFileSync(process.execPath, [builtCli, 'hooks', 'install', '--yes', '--answer', '--client', 'claude'], {
		env,
		stdio: 'ignore',
	});
	let program = open(process.execPath, [builtCli, '--local']);
	await program.see(/Needs you/);
	const client = open('claude', []);
	await client.see(/for shortcuts/);

	await ask(client, program, 1);
	await answer(program, 'y');
	check('allowed here: the file is made', await isMade());
	await settle(client, program);
	await client.see(/Allowed by PermissionRequest hook/);
	await program.see(/Allowed once/);
	check('both sides agree', true);

	await ask(client, program, 2);
	await answer(program, 'n');
	await settle(client, program);
	check('denied here: the file is not made', !existsSync(made));
	await client.see(/Denied by PermissionRequest hook/);
	await program.see(/Denied/);
	check('both sides agree', true);

	await ask(client, program, 3);
	program.write('!');
	await program.see(/y allow once/);
	client.write('1');
	await client.gone(isWaiting);
	const over = await program.see(/This request is over/);
	check('allowed in its own terminal: the open dialog says so within 2 s', over < 2000, `${over} ms`);
	program.write('y');
	program.write('\x1b');
	await settle(client, program);
	check('the file is made', await isMade());

	await ask(client, program, 4);
	client.write('\x1b');
	await client.gone(isWaiting);
	const idle = await program.see(/nothing needs you/);
	check('Esc in its own terminal: the row follows within 2 s', idle < 2000, `${idle} ms`);
	check('the file is not made', !existsSync(made));
	await settle(client, program);

	client.write('/clear\r');
	await client.gone(/TOOL 4/);
	await ask(client, program, 5);
	process.kill(program.pid, 'SIGKILL');
	await new Promise(next => setTimeout(next, 1000));
	check(
		'the program is killed: the client still asks, nothing is made',
		isWaiting.test(client.screen()) && !existsSync(made),
	);
	const processes = execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'}).split('\n');
	const hooks = processes.filter(args =>
		args.includes(`answer-hook.cjs --client claude --wait 600 --agent-pid ${client.pid}`),
	);
	check('no hook is left', hooks.length === 0, `${hooks.length}`);
	client.write('1');
	await client.gone(isWaiting);
	await client.see(/RESULT-SEEN/);
	check('its own prompt still answers', await isMade());

	program = open(process.execPath, [builtCli, '--local']);
	await program.see(/Needs you/);
	await ask(client, program, 6);
	await answer(program, 'y');
	await settle(client, program);
	check('the next program answers again', await isMade());

	await ask(client, program, 7);
	program.write(']');
	await program.see(/you \d\d:\d\d\s[\s\S]*TOOL 7/);
	check('its transcript is read while it asks', true);
	await answer(program, 'y');
	await settle(client, program);
	await program.see(/TOOL 7[\s\S]*✓ Bash touch made-by-tool[\s\S]*RESULT-SEEN/);
	check('and shows what was done', true);
	const transcript = newestTranscript();
	const printed = execFileSync(
		process.execPath,
		[builtCli, '--local', 'messages', basename(transcript, '.jsonl'), '--all', '--json'],
		{env, encoding: 'utf8', timeout: limit},
	);
	const [shown, written] = [printedTexts(printed), writtenTexts(transcript)];
	check(
		'the transcript is equal to its file',
		shown.join('\n\n') === written.join('\n\n'),
		`${written.length} texts`,
	);

	const stored = readdirSync(join(home, '.local'), {recursive: true, withFileTypes: true}).filter(
		entry =>
			entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes('touch made-by-tool'),
	);
	check(
		'no file of the program holds the command',
		stored.length === 0,
		stored.map(({name}) => name).join(' '),
	);
	client.kill('SIGKILL');
	program.write('\x03\x03');
	await new Promise(next => setTimeout(next, 1500));
} catch (error) {
	check('the run', false, (error as Error).message);
}
model.close();
rmSync(top, {recursive: true, force: true, maxRetries: 3});
process.exit(missed === 0 ? 0 : 1);
