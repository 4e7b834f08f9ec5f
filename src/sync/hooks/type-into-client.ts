import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {randomId} from '../../../hooks/random-id.ts';
import type {Clock} from '../../domain/clock.ts';
import {textOf} from '../../domain/sessions/activity.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import {type ClientFile, readClientFiles} from '../../hook-listeners/client-files.ts';
import {claudeFolder, TranscriptError, TranscriptFile} from '../../transcripts/transcript-file.ts';
import {entryOf} from '../transcripts/transcript-window.ts';
import {findClientTerminal, runProgram, type TmuxPane} from './client-terminal.ts';

/** Why nothing was typed; `not-entered`: the text stands in the client's prompt. */
export type TypingProblem =
	| 'not-running'
	| 'no-tmux'
	| 'at-work'
	| 'asks'
	| 'in-background'
	| 'in-copy-mode'
	| 'failed'
	| 'not-entered';

/** Time between text and Enter, ms: a client takes keys right after a paste for a part of it. */
const enterDelay = 200;
const pasteTimeout = 3000;
/** How long the transcript is searched for a message, and how often, ms. */
const seenTimeout = 10_000;
const seenInterval = 200;

/**
 * Types a message into the tmux pane of a session's client, and Enter, if the client is idle, in the foreground and no
 * key would mean something else to the pane. Resolves to why it wasn't; undefined if it was.
 */
export async function typeIntoClient(
	signal: Signal,
	words: string,
	clock: Clock,
): Promise<TypingProblem | undefined> {
	const pane = await idlePane(signal, clock);
	if (typeof pane === 'string') return pane;
	const buffer = `quarterdeck-${randomId()}`;
	const tmux = ['-S', pane.socket];
	if (!(await load([...tmux, 'load-buffer', '-b', buffer, '-'], pastedText(words)))) return 'failed';
	// With -p the client is told that it is pasted text, not keys; -d deletes the buffer.
	const pasted = await runProgram('tmux', [
		...tmux,
		'paste-buffer',
		'-p',
		'-d',
		'-b',
		buffer,
		'-t',
		pane.pane,
	]);
	if (pasted === undefined) {
		await runProgram('tmux', [...tmux, 'delete-buffer', '-b', buffer]);
		return 'failed';
	}
	await new Promise<void>(resolve => void clock.after(enterDelay, resolve));
	const now = await idlePane(signal, clock);
	if (typeof now === 'string' || now.pane !== pane.pane) return 'not-entered';
	const entered = await runProgram('tmux', [...tmux, 'send-keys', '-t', pane.pane, 'Enter']);
	return entered === undefined ? 'not-entered' : undefined;
}

/** Text that a terminal takes for nothing but text: without control characters, which could end the paste. */
function pastedText(words: string): string {
	return words
		.toWellFormed()
		.replace(/\r\n?/g, '\n')
		.replace(/(?![\n\t])\p{Cc}/gu, '')
		.trim();
}

/** The pane that shows the session's client while that waits for the user, or why there is none. */
async function idlePane(signal: Signal, clock: Clock): Promise<TmuxPane | TypingProblem> {
	const before = await clientFile(signal);
	if (!before) return 'not-running';
	const terminal = await findClientTerminal({...signal, process: before.process}, clock.now());
	if (!terminal) return 'not-running';
	const {pane, pid} = terminal;
	if (!pane) return 'no-tmux';
	const format = '#{pane_in_mode} #{pane_dead} #{pane_input_off}';
	const target = ['display-message', '-p', '-t', pane.pane, format];
	const [mode, groups] = await Promise.all([
		runProgram('tmux', ['-S', pane.socket, ...target]),
		runProgram('ps', ['-o', 'pgid=,tpgid=', '-p', `${pid}`]),
	]);
	if (mode?.trim() !== '0 0 0') return 'in-copy-mode';
	const [group, foreground] = groups?.trim().split(/\s+/) ?? [];
	if (group === undefined || group !== foreground) return 'in-background';
	// Asked last: what it says must hold when the text arrives.
	const file = await clientFile(signal);
	if (file?.process.pid !== pid) return 'not-running';
	if (file.status === 'waiting') return 'asks';
	return file.status === 'idle' ? pane : 'at-work';
}

async function clientFile({sessionId}: Signal): Promise<ClientFile | undefined> {
	const files = await readClientFiles(join(claudeFolder(), 'sessions'));
	return files.find(file => file.sessionId === sessionId);
}

/** Gives a text to a program; resolves to whether it took it. */
function load(args: readonly string[], text: string): Promise<boolean> {
	return new Promise(resolve => {
		const child = spawn('tmux', args, {stdio: ['pipe', 'ignore', 'ignore'], timeout: pasteTimeout});
		child.on('error', () => resolve(false));
		child.on('close', code => resolve(code === 0));
		child.stdin.on('error', () => {});
		child.stdin.end(text);
	});
}

/** Where the transcript ends now; 0 if there is none yet. */
export function transcriptEnd(path: string): number {
	return withFile(path, file => file.end) ?? 0;
}

/** Resolves to whether the transcript has the message after `start`, once it has; false if it doesn't come. */
export async function isSeen(path: string, start: number, words: string, clock: Clock): Promise<boolean> {
	const wanted = inOneLine(words);
	for (const until = clock.now() + seenTimeout; clock.now() < until; ) {
		if (messagesAfter(path, start).some(text => inOneLine(text).includes(wanted))) return true;
		await new Promise<void>(resolve => void clock.after(seenInterval, resolve));
	}
	return false;
}

const inOneLine = (text: string) => pastedText(text).replace(/\s+/g, ' ');

/** The user's messages. */
function messagesAfter(path: string, start: number): readonly string[] {
	const texts: string[] = [];
	withFile(path, file => {
		for (let at = start; at < file.end; ) {
			const {lines, end} = file.from(at);
			if (end <= at) break;
			at = end;
			for (const line of lines) {
				const entry = entryOf(line);
				if (entry === undefined || entry === 'unreadable' || entry.role !== 'user') continue;
				texts.push(textOf(entry.message));
			}
		}
	});
	return texts;
}

function withFile<Value>(path: string, read: (file: TranscriptFile) => Value): Value | undefined {
	let file: TranscriptFile | undefined;
	try {
		file = new TranscriptFile(path);
		return read(file);
	} catch (error) {
		if (!(error instanceof TranscriptError)) throw error;
		return undefined;
	} finally {
		file?.close();
	}
}
