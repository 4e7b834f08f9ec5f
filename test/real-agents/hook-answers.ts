import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {basename, join} from 'node:path';
import {builtCli, limit, type Pty, startClaudeHome} from './claude-home.ts';

/**
 * `node test/real-agents/hook-answers.ts`: runs the real Claude Code in a pty with the hooks of `hooks install --answer`,
 * answers its permission prompts from the built program in another one, and reads its transcript there. Prints each
 * finding; ends with 1 when one is missed. Run `npm run build` first.
 */

const {home, work, env, check, open, run} = await startClaudeHome();
const made = join(work, 'made-by-tool');
const isWaiting = /Do you want to proceed\?/;
const raised = /asks · Bash: touch made/;

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

await run(async () => {
	execFileSync(process.execPath, [builtCli, 'hooks', 'install', '--yes', '--answer', '--client', 'claude'], {
		env,
		stdio: 'ignore',
	});
	let program = open(process.execPath, [builtCli, '--local']);
	await program.see(/Needs you/);
	const client = open('claude', ['--permission-mode', 'default']);
	await client.see(/for shortcuts/);

	await ask(client, program, 1);
	await answer(program, 'y');
	// A notice stays for some seconds: a turn may take longer.
	await program.see(/Allowed once/);
	check('allowed here: the file is made', await isMade());
	await settle(client, program);
	await client.see(/Allowed by PermissionRequest hook/);
	check('both sides agree', true);

	await ask(client, program, 2);
	await answer(program, 'n');
	await program.see(/Denied/);
	await settle(client, program);
	check('denied here: the file is not made', !existsSync(made));
	await client.see(/Denied by PermissionRequest hook/);
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
	const hooks = processes.filter(args => args.includes('answer-hook.cjs --client claude --wait 600'));
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
});
