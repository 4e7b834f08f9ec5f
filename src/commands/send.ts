import type {MessageDraft} from '../domain/message.ts';
import {cleanLine} from '../text/clean.ts';
import {readAttachments} from './attachments.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './exit-codes.ts';
import {messageJson} from './forms.ts';
import {given} from './given.ts';
import {MessageKeptError} from './message-kept-error.ts';
import {postMessage} from './post-message.ts';
import {createKeep, openRegistry} from './registry.ts';
import {plainAnswer} from './show-message.ts';
import {openTranscript} from './transcript.ts';
import {UsageError} from './usage-error.ts';
import {waitForAnswer} from './wait-for-answer.ts';

/** Adds a message to a session and prints its id; with `--wait` prints the answer instead. */
export async function send(context: CommandContext): Promise<ExitCode> {
	const {
		args: [sessionId = '', argument = ''],
		flags,
		wiring,
		output,
		clock,
		signal,
	} = context;
	const computerId = flags.text('computer-id');
	const {images, files} = await readAttachments(flags.list('image'), flags.list('file'));
	const text = argument === '-' ? await readStdin() : argument;
	if (text === '') throw new UsageError('the text is empty: nothing was sent');
	const draft: MessageDraft = {
		text,
		...(images.length > 0 && {images}),
		...(files.length > 0 && {files}),
		...given('computerId', computerId),
	};
	const parts = await wiring();
	const service = await parts.connect();
	const database = await parts.database();
	const routed = given('computerId', computerId);
	const registry = openRegistry(database, clock, output.note);
	const known = registry.session(sessionId);
	const posting = {service, database, clock, signal, sessionId, draft, ...given('known', known)};
	const {messageId, status, isRepeat} = await postMessage(posting).catch(error => {
		// What waits must be found again, on the screen as well.
		if (error instanceof MessageKeptError && error.state === 'queued')
			registry.addSession(sessionId, 'added', routed);
		throw error;
	});
	if (isRepeat) output.note('the same message was kept here from before: it was sent once');
	registry.addSession(sessionId, 'added', routed);
	// An `idle` right after our own post settles nothing.
	if (status && status !== 'idle')
		registry.setStatus(sessionId, {value: status, source: 'posted', at: clock.now()});
	if (!flags.is('wait')) {
		if (output.isJson) output.json({messageId, status, quarterdeck: {sessionId}});
		else output.line(cleanLine(messageId));
		return exitCodes.done;
	}
	const keep = createKeep(output.note);
	const transcript = openTranscript({sessionId, service, database, clock, keep, ...routed});
	const probe = parts.config.statusProbe === 'auto';
	const answer = await waitForAnswer({
		transcript,
		messageId,
		clock,
		signal,
		...(probe && {
			async status() {
				const session = await service.sessions.update(sessionId, {}, {signal});
				registry.seeSession(session, 'added');
				if (session.status) {
					registry.setStatus(sessionId, {value: session.status, source: 'updated', at: clock.now()});
				}
				return session.status;
			},
		}),
	});
	for (const item of answer) {
		if (output.isJson) output.json(messageJson(item.message, item.role, sessionId));
		else output.line(plainAnswer(item));
	}
	return answer.some(({message}) => message.isError) ? exitCodes.refused : exitCodes.done;
}

async function readStdin(): Promise<string> {
	process.stdin.setEncoding('utf8');
	let text = '';
	for await (const part of process.stdin) text += part;
	return text.replace(/\n$/, '');
}
