import type {Session, SessionDraft} from '../domain/sessions/session.ts';
import type {Signal} from '../domain/sessions/signal.ts';
import type {Fleet} from '../state/fleet.ts';
import type {ActionContext, Draft} from './context.ts';
import {remember} from './messages.ts';
import {notify, type Result} from './notify.ts';
import {createSession} from './sessions.ts';
import {strings} from './strings.ts';

const {outside: text} = strings;

/** Shows the terminal in which a session's client runs, if it is in our tmux; else says where it is. */
export async function goToTerminal(context: ActionContext, signal: Signal): Promise<void> {
	if (signal.computer) return notify(context, 'info', text.elsewhere(signal.computer.name));
	const {attachCommand, findClientTerminal, showPane} = await import('../sync/hooks/client-terminal.ts');
	const terminal = await findClientTerminal(signal, context.clock.now());
	if (!terminal)
		return notify(context, 'bad', 'Its process has ended, or runs on another machine or in a container');
	const {pid, tty, pane} = terminal;
	if (!pane)
		return notify(
			context,
			'info',
			[`Outside tmux: process ${pid}`, tty && `terminal ${tty}`, signal.cwd && `in ${signal.cwd}`]
				.filter(Boolean)
				.join(', '),
		);
	if (await showPane(pane)) return notify(context, 'good', 'Switched to its tmux pane');
	notify(context, 'info', `It runs in tmux: attach with ${attachCommand(pane)}`);
}

/**
 * Types a message into the terminal of a session's client. Resolves to whether it is there: then the message isn't a
 * draft any more. Says what became of it.
 */
export async function writeToTerminal(
	context: ActionContext,
	signal: Signal,
	{text: words, images, files}: Draft,
): Promise<boolean> {
	const refuse = (why: string) => {
		notify(context, 'bad', why);
		return false;
	};
	if (images.length + files.length > 0)
		return refuse('Only text can be typed into its terminal: remove the attachments');
	const {isSeen, transcriptEnd, typeIntoClient} = await import('../sync/hooks/type-into-client.ts');
	const {transcriptIn} = await import('../sync/transcripts/transcripts.ts');
	const {clock, stores} = context;
	const path = transcriptIn(stores.fleet.getState(), signal.sessionId);
	const start = path === undefined ? 0 : transcriptEnd(path);
	const problem = await typeIntoClient(signal, words, clock);
	if (problem) return refuse(text.notTyped[problem](context.keyName('go-to-terminal')));
	remember(context, signal.sessionId, words);
	let isWaiting = true;
	notify(context, 'info', 'Typed into its terminal; waiting until its transcript has it', {
		isCurrent: () => isWaiting,
	});
	const check = async () => {
		const seen = path !== undefined && (await isSeen(path, start, words, clock));
		isWaiting = false;
		if (seen) notify(context, 'good', 'Seen: its transcript has the message');
		else
			notify(
				context,
				'bad',
				`Typed into its terminal, but its transcript doesn't have it so far: ${context.keyName('go-to-terminal')} goes there`,
			);
	};
	void check();
	return true;
}

/** Continues a session whose client has ended, as a new session of the embedded service. */
export async function continueHere(context: ActionContext, signal: Signal): Promise<Result<Session>> {
	const fleet = context.stores.fleet.getState();
	const [computerId] = fleet.computers.keys();
	const draft = await continuation(fleet, signal);
	const what = typeof draft === 'string' ? draft : 'There is no computer to continue it on';
	if (typeof draft !== 'string' && computerId !== undefined)
		return createSession(context, {computerId, ...draft}, 'Continued here: write the next message');
	notify(context, 'bad', what);
	return {isDone: false, what};
}

/** Returns the draft of a session that continues one whose client has ended, or why that is impossible. */
export async function continuation(
	fleet: Fleet,
	signal: Signal,
): Promise<Omit<SessionDraft, 'computerId'> | string> {
	const {client, sessionId, title, computer} = signal;
	if (computer) return text.elsewhere(computer.name);
	if (client !== 'claude') return 'Only sessions of Claude Code can be continued here';
	const {isClientRunning} = await import('../sync/hooks/client-sessions.ts');
	const {startFolder} = await import('../hook-listeners/client-files.ts');
	const {transcriptIn} = await import('../sync/transcripts/transcripts.ts');
	const transcript = transcriptIn(fleet, sessionId);
	// The client resumes a conversation only in the folder where it was started; hooks report the current one.
	const cwd = (transcript === undefined ? undefined : await startFolder(transcript)) ?? signal.cwd;
	if (cwd === undefined) return 'The folder it ran in is unknown';
	if (await isClientRunning(signal)) return 'It is still running in its own terminal: end it there first';
	return {agent: client, cwd, resume: sessionId, worktree: false, title};
}
