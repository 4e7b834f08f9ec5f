import {delay} from '../../api/http/timing.ts';
import type {Service} from '../../api/service.ts';
import {isOutsideService, type KnownSession, routeOf} from '../../domain/known.ts';
import {createListBudget, type ListBudget, type ListLimits} from '../../domain/list-budget.ts';
import {explicitRole, type MessageRole, messageRoles} from '../../domain/messages/message.ts';
import {isOrderUnknown, type TimelineItem} from '../../domain/messages/timeline.ts';
import {thousands} from '../../domain/numbers.ts';
import type {ActivityReading} from '../../sync/messages/activity-recorder.ts';
import {transcriptIn} from '../../sync/transcripts/transcripts.ts';
import {sessionMarkdown} from '../../text/messages/session-markdown.ts';
import {TranscriptError} from '../../transcripts/transcript-file.ts';
import {TranscriptMessages} from '../../transcripts/transcript-messages.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, isTemporary, NothingFoundError, retryUntilFound, UsageError} from '../cli/errors.ts';
import type {Flags} from '../cli/parse.ts';
import {type CommandRegistry, connect, createSafeWrite, flaggedComputer} from '../cli/registry.ts';
import {cliStrings} from '../cli/strings.ts';
import {createProgress, type Output} from '../output/output.ts';
import {completeness, strings as listStrings} from '../output/print-pages.ts';
import {openThread} from './open-thread.ts';
import {createRecorder} from './read-activity.ts';
import {openRoleMessages} from './role-messages.ts';
import {createMessagePrinter, sessionDocument} from './show-message.ts';
import {strings} from './strings.ts';

const {messages: text} = strings;
const {conflict} = cliStrings.usage;
const defaultCount = 20;
const exportFormats = ['markdown', 'json'] as const;
type ExportFormat = (typeof exportFormats)[number];
/** Poll interval while following, ms: `min` while messages arrive, growing to `max` in silence. */
const pollInterval = {min: 1500, max: 15_000};
/** The same for a file on this machine. */
const transcriptInterval = {min: 250, max: 1000};

/** Prints a session's messages, oldest first; with `--follow` also new ones. */
export async function messages(context: CommandContext): Promise<ExitCode> {
	const {
		args: [sessionId = ''],
		flags,
		output,
		clock,
		signal,
	} = context;
	const role = flags.choice('role', messageRoles);
	const limit = flags.count('limit');
	if (limit !== undefined && flags.is('all')) throw new UsageError(conflict('--limit', '--all'));
	const format = formatOf(flags, output.isJson);
	const isFollowing = flags.is('follow');
	const count = flags.is('all') ? Number.POSITIVE_INFINITY : (limit ?? defaultCount);
	const isDefault = limit === undefined && !flags.is('all') && !isFollowing;
	const connection = await connect(context);
	const {service, database, registry} = connection;
	const path = transcriptPath(registry, sessionId);
	if (path !== undefined)
		return printTranscript(context, path, sessionId, registry.session(sessionId), {
			role,
			count,
			format,
			isFollowing,
			isDefault,
		});
	const safeWrite = createSafeWrite(output.note);
	const {pageOrder} = database.messages.listing(sessionId);
	const computerId = flaggedComputer(context, registry) ?? routeOf(registry.session(sessionId));
	const progress = createProgress(context.system.stderr, clock);
	const bounded = boundedMessages(service.messages.list, {
		onRead: read => progress.show(listStrings.reading('messages', thousands(read))),
	});
	const roleMessages =
		role &&
		openRoleMessages({
			list: bounded.list,
			sessionId,
			role,
			pageOrder,
			computerId,
		});
	const reading = {...service, messages: {...service.messages, list: bounded.list}};
	const whole = openThread({sessionId, service: reading, database, clock, safeWrite, computerId});
	const startedFrom = {activity: registry.session(sessionId)?.activity};
	const readNewest = () => (roleMessages ?? whole).newest(count, signal);
	const newest = await retryUntilFound(registry.session(sessionId), context, readNewest).finally(() =>
		progress.end(),
	);
	const {items, reading: newestReading} = newest;
	const unknown = items.filter(isRoleUnknown).length;
	const isWhole = newest.isWhole && !bounded.isCut;
	registry.addSession(sessionId, 'added');
	const recorder = createRecorder(connection, clock);
	const record = (reading: ActivityReading | undefined) => {
		if (reading?.messages.every(item => item.role !== undefined)) recorder.record(sessionId, reading);
	};
	record(newestReading && {...newestReading, startedFrom});
	const skipped = bounded.skipped(role);
	if (role && items.length === 0 && isWhole && skipped === 0 && !isFollowing)
		throw new NothingFoundError(text.noneOfRole(role));
	if (format) exportSession(output, format, sessionId, registry.session(sessionId), items);
	const print = createMessagePrinter(output, sessionId);
	if (!format) print(items);
	if (isDefault && newest.hasOlder) output.remark(text.older);
	if (isOrderUnknown(items.map(({message}) => message))) output.note(text.orderUnknown);
	const code = completeness(context, skipped, 'end', [
		...(isWhole || bounded.isCut ? [] : [text.incomplete]),
		...(bounded.isCut ? [text.cut(thousands(bounded.read))] : []),
		// While following, a message is printed again once its role is known.
		...(unknown > 0 && !isFollowing
			? [text.unknownRoles(thousands(unknown), whole.thread.roles.problem)]
			: []),
	]);
	if (isFollowing) {
		const poll = async (stop: AbortSignal) => {
			bounded.restart();
			const polling =
				roleMessages?.poll(stop) ??
				whole.update(stop).then(({items, reading}) => {
					record(reading);
					return items;
				});
			return polling.finally(progress.end);
		};
		await follow(context, poll, print);
	}
	return code;
}

function transcriptPath({stores}: CommandRegistry, sessionId: string): string | undefined {
	const fleet = stores.fleet.getState();
	return isOutsideService(fleet.sessions.get(sessionId)) ? transcriptIn(fleet, sessionId) : undefined;
}

type PrintOptions = {
	readonly role: MessageRole | undefined;
	readonly count: number;
	readonly format: ExportFormat | undefined;
	readonly isFollowing: boolean;
	/** Whether no flag says how many to print. */
	readonly isDefault: boolean;
};

async function printTranscript(
	context: CommandContext,
	path: string,
	sessionId: string,
	known: KnownSession | undefined,
	{role, count, format, isFollowing, isDefault}: PrintOptions,
): Promise<ExitCode> {
	const {output} = context;
	let opened: TranscriptMessages | undefined;
	try {
		const transcript = new TranscriptMessages(path, role);
		opened = transcript;
		const found = transcript.newest(isDefault ? count + 1 : count);
		const items = found.slice(-count);
		const {unreadable, isCut} = transcript;
		if (role && items.length === 0 && unreadable === 0 && !isFollowing)
			throw new NothingFoundError(text.noneOfRole(role));
		const print = createMessagePrinter(output, sessionId);
		if (format) exportSession(output, format, sessionId, known, items);
		else print(items);
		if (found.length > items.length) output.remark(text.older);
		const notes = isCut ? [text.cut(thousands(items.length))] : [];
		const code = completeness(context, unreadable, 'end', notes);
		if (isFollowing) await follow(context, async () => transcript.poll(), print, transcriptInterval);
		return code;
	} catch (error) {
		if (!(error instanceof TranscriptError)) throw error;
		throw new NothingFoundError(`${error.message}. ${error.hint}`);
	} finally {
		opened?.close();
	}
}

/** Whether it is unknown who wrote a message. One that names a role of no kind we know isn't counted. */
function isRoleUnknown({message, role}: TimelineItem): boolean {
	return role === undefined && !explicitRole(message).isExplicit;
}

async function follow(
	{clock, signal, output}: CommandContext,
	poll: (signal: AbortSignal) => Promise<readonly TimelineItem[]>,
	print: (items: readonly TimelineItem[]) => void,
	interval = pollInterval,
): Promise<never> {
	let wait = interval.min;
	for (;;) {
		await delay(clock, wait, signal);
		try {
			const newItems = await poll(signal);
			print(newItems);
			wait = newItems.length > 0 ? interval.min : Math.min(wait * 1.3, interval.max);
		} catch (error) {
			if (!isTemporary(error)) throw error;
			output.note(cliStrings.run.retrying(error.what));
			wait = interval.max;
		}
	}
}

function formatOf(flags: Flags, isJson: boolean): ExportFormat | undefined {
	const format = flags.choice('format', exportFormats);
	if (format === undefined) return undefined;
	if (flags.is('follow')) throw new UsageError(conflict('--format', '--follow'));
	if (isJson && format !== 'json') throw new UsageError(conflict(`--format ${format}`, '--json'));
	return format;
}

function exportSession(
	output: Output,
	format: ExportFormat,
	sessionId: string,
	known: KnownSession | undefined,
	items: readonly TimelineItem[],
): void {
	if (format === 'json') output.json(sessionDocument(sessionId, known, items));
	else for (const line of sessionMarkdown(sessionId, known, items)) output.line(line);
}

/** Lists messages up to a memory bound: the page that reaches it has no next page. */
export function boundedMessages(
	list: Service['messages']['list'],
	{limits, onRead}: {readonly limits?: ListLimits; readonly onRead: (count: number) => void},
) {
	type Listing = {readonly budget: ListBudget; read: number; readonly skipped: Map<string, number>};
	const listings = new Map<string, Listing>();
	let read = 0;
	let isCut = false;
	return {
		async list(...[sessionId, query, options]: Parameters<typeof list>) {
			const page = await list(sessionId, query, options);
			const name = query?.role ?? 'all';
			const listing = listings.get(name) ?? {budget: createListBudget(limits), read: 0, skipped: new Map()};
			listings.set(name, listing);
			// A page may be read more than once.
			if (page.skipped > 0) listing.skipped.set(query?.cursor ?? '', page.skipped);
			const hasRoom = page.items.every(message => listing.budget.take(message));
			listing.read += page.items.length;
			read = Math.max(read, listing.read);
			onRead(read);
			if (hasRoom || !page.hasMore) return page;
			isCut = true;
			const {nextCursor: _, ...last} = page;
			return last;
		},
		/** Messages read so far, in the listing of which most were read. */
		get read() {
			return read;
		},
		/** Number of items that could not be read, of this role or of all. */
		skipped(role?: MessageRole): number {
			return [...(listings.get(role ?? 'all')?.skipped.values() ?? [])].reduce((sum, one) => sum + one, 0);
		},
		get isCut() {
			return isCut;
		},
		restart() {
			listings.clear();
			read = 0;
			isCut = false;
		},
	};
}
