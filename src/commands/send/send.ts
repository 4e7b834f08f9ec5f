import {isUtf8} from 'node:buffer';
import {AttachmentError, asFile, type ReadAttachment, readAttachment} from '../../actions/read-attachment.ts';
import {NotFoundError} from '../../api/errors.ts';
import type {Database} from '../../db/database.ts';
import {routeOf} from '../../domain/known.ts';
import {attachmentLimit} from '../../domain/messages/attachment.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import {
	agentAuthor,
	type FileAttachment,
	type ImageAttachment,
	type MessageDraft,
} from '../../domain/messages/message.ts';
import {agentVariable, clientVariables} from '../../domain/sessions/session.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes, NothingFoundError, UsageError} from '../cli/errors.ts';
import {withTimeout} from '../cli/interrupts.ts';
import {connect, flaggedComputer} from '../cli/registry.ts';
import {cliStrings} from '../cli/strings.ts';
import {plainAnswer} from '../messages/show-message.ts';
import {messageJson} from '../output/json-output.ts';
import {printResult} from '../output/output.ts';
import {savedNames} from '../sessions/session-states.ts';
import {type DeliveryResult, deliveryError} from './deliver.ts';
import {postMessage} from './post-message.ts';
import {strings} from './strings.ts';
import {waitForAnswer} from './wait-for-answer.ts';
import {createWaitLine, createWaitNotice, timeoutOf} from './wait-notice.ts';

const waitTimeout = 'wait-timeout';

/** Adds a message to a session and prints its id; with `--wait` prints the answer instead. */
export async function send(context: CommandContext): Promise<ExitCode> {
	const {
		args: [sessionId = '', argument = ''],
		flags,
		output,
		clock,
		signal,
	} = context;
	const timeout = timeoutOf(flags);
	if (flags.is('wait') && flags.is('no-wait'))
		throw new UsageError(cliStrings.usage.conflict('--wait', '--no-wait'));
	if (flags.count(waitTimeout) !== undefined && !flags.is('wait'))
		throw new UsageError(cliStrings.usage.needsFlag(`--${waitTimeout}`, '--wait'));
	const {images, files} = await readAttachments(context);
	const text = argument === '-' ? await readStdin(context.system.stdin) : argument;
	if (text.trim() === '') throw new UsageError(strings.send.emptyText);
	const {service, database, registry} = await connect(context);
	const known = registry.session(sessionId);
	const computerId = flaggedComputer(context, registry) ?? routeOf(known);
	const draft: MessageDraft = {
		text,
		images: images.length > 0 ? images : undefined,
		files: files.length > 0 ? files : undefined,
		computerId,
		...sendingAgent(context, database),
	};
	const notice = createWaitNotice(context);
	const posted = await postMessage({
		service,
		database,
		clock,
		signal,
		pid: context.system.pid,
		sessionId,
		draft,
		timeout,
		known,
		onWait: notice.show,
	}).finally(notice.end);
	const {item, status, earlier} = posted;
	if (earlier) output.note(resumedNote(earlier, item));
	// A message that waits or may have arrived must be found later, also on the screen.
	if (item.state !== 'failed' && !posted.isRemoved) {
		// The answer is read where the message went.
		const isThere = flags.is('wait') && routeOf(known) === undefined;
		registry.addSession(sessionId, 'added', isThere ? {computerId} : {});
	}
	// An `idle` right after our own post proves nothing.
	if (status && status !== 'idle')
		registry.setStatus(sessionId, {value: status, source: 'posted', at: clock.now()});
	// Neither this machine nor the service knows the session: its messages could never be delivered. With
	// --computer-id, it may be the computer that wasn't found.
	const {error: refusal} = posted;
	if (
		!known &&
		flags.text('computer-id') === undefined &&
		item.state === 'failed' &&
		refusal instanceof NotFoundError
	) {
		database.outbox.exclusively(() => {
			if (database.outbox.get(item.id)?.state === 'failed') database.outbox.remove(item.id);
		});
		throw new NothingFoundError(strings.send.unknownSession(refusal.what));
	}
	if (output.isJson) output.json(sentJson(posted));
	const error = deliveryError(posted, database.problem);
	if (error) throw error;
	const {messageId = ''} = item;
	const sent = strings.answer.sent(messageId, sessionId);
	// Otherwise it looks as if nothing was sent, and whoever repeats the command sends the message twice.
	return printResult(context, sent, () => {
		if (flags.is('wait'))
			return withTimeout(
				context,
				timed => printAnswer(timed, sessionId, messageId),
				seconds => strings.answer.timedOut(seconds, sent),
				waitTimeout,
			);
		if (!output.isJson) output.line(cleanLine(messageId));
		return exitCodes.done;
	});
}

/** That an agent runs this command, with the name of its session if that is known. */
function sendingAgent(
	{input: {env}, clock}: CommandContext,
	database: Database,
): Pick<MessageDraft, 'author'> {
	const own = env[agentVariable];
	if (own) return {author: agentAuthor(savedNames(database, clock.now()).get(own)?.slice(0, 100))};
	return clientVariables.some(name => env[name]) ? {author: agentAuthor()} : {};
}

async function printAnswer(context: CommandContext, sessionId: string, messageId: string): Promise<ExitCode> {
	const {output} = context;
	const line = createWaitLine(context);
	line.show(() => strings.answer.incomplete);
	const {items: answer, isAssumed} = await waitForAnswer(context, sessionId, messageId).finally(line.end);
	for (const item of answer) {
		if (output.isJson) output.json(messageJson(item.message, item.role, sessionId));
		// What a tool returned is not the answer, even if it is text like any other.
		else if (item.role !== 'tool') output.line(plainAnswer(item));
	}
	if (answer.some(({message}) => message.isError)) return exitCodes.refused;
	if (!isAssumed) return exitCodes.done;
	output.note(cliStrings.run.assumed);
	return exitCodes.assumed;
}

/** Explains that an earlier command's identical message was resumed instead of sending a second one. */
function resumedNote(earlier: OutboxItem, current: OutboxItem): string {
	if (isDelivered(earlier)) return strings.send.alreadySent;
	if (earlier.state === 'unconfirmed' || earlier.state === 'sending')
		return isDelivered(current) ? strings.send.found : strings.send.notFound;
	return strings.send.alreadyQueued;
}

async function readStdin(stdin: CommandContext['system']['stdin']): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of stdin) parts.push(Buffer.from(part));
	const bytes = Buffer.concat(parts);
	if (!isUtf8(bytes)) throw new UsageError(strings.send.notText);
	// The decoder drops a byte order mark.
	return new TextDecoder().decode(bytes).replaceAll('\r\n', '\n').replace(/\n$/, '');
}

/**
 * Reads every attachment of a message before anything is sent. With `--send-paths` the service also gets the
 * local paths. Throws `AttachmentError`.
 */
async function readAttachments({
	flags,
	system,
}: CommandContext): Promise<{images: ImageAttachment[]; files: FileAttachment[]}> {
	let room = attachmentLimit;
	const read = async (path: string): Promise<ReadAttachment> => {
		const attachment = await readAttachment(path, room, system.folder);
		room -= attachment.bytes;
		return attachment;
	};
	const images: ImageAttachment[] = [];
	for (const path of flags.list('image')) {
		const attachment = await read(path);
		if (attachment.kind !== 'image') throw new AttachmentError(strings.send.notImage(path));
		images.push({data: attachment.data});
	}
	const files: FileAttachment[] = [];
	for (const path of flags.list('file')) files.push(asFile(await read(path), flags.is('send-paths')));
	return {images, files};
}

/** The result of sending a message: the contract's response and the outbox message. */
function sentJson({item, status, isRemoved}: DeliveryResult): object {
	const {id, sessionId, messageId, problem, notBefore} = item;
	const state = isRemoved ? 'removed' : item.state;
	return {messageId, status, quarterdeck: {sessionId, outboxId: id, state, problem, notBefore}};
}
