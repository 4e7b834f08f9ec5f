import type {FoundMessage, SearchedMessages} from '../../db/database.ts';
import {searchWithTranscripts} from '../../sync/transcripts/search-transcripts.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {dateTime} from '../../text/values/times.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, NothingFoundError, UsageError} from '../cli/errors.ts';
import {CommandRegistry} from '../cli/registry.ts';
import {requireWhole, showSaved} from '../cli/require-storage.ts';
import {savedNames} from '../sessions/session-states.ts';
import {strings} from './strings.ts';

const defaultCount = 50;
const pageSize = 100;
/** Bytes of transcripts that are read, the newest first: some seconds. */
const maxBytes = 512 * 1024 * 1024;

/**
 * Prints messages, cached or in transcripts, that contain all the words, newest first, with the text around the
 * match. Makes no request. Throws `NothingFoundError` when nothing matches.
 */
export async function search(context: CommandContext): Promise<ExitCode> {
	const {args, flags, wiring, output, signal} = context;
	const words = args.join(' ');
	if (!/[\p{L}\p{N}]/u.test(words)) throw new UsageError(strings.search.noWord);
	const limit = flags.count('limit') ?? defaultCount;
	const database = await (await wiring()).database();
	const registry = new CommandRegistry(database, context);
	const {messages} = database;
	const searched = searchWithTranscripts(messages, registry.stores.fleet.getState(), words, limit, maxBytes);
	for (const _ of searched.steps);
	const names = savedNames(database, context.clock.now());
	let printed = 0;
	for (const {sessionId, messageId, createdAt, snippet} of foundMessages(searched)) {
		if (++printed % pageSize === 0) await output.flush(signal);
		const name = names.get(sessionId);
		if (output.isJson) {
			output.json({sessionId, messageId, createdAt, quarterdeck: {snippet, session: name}});
			continue;
		}
		const heading = name ? safe`${cleanLine(sessionId)}  ${cleanLine(name, 60)}` : cleanLine(sessionId);
		output.line(safe`${heading}  ${dateTime(createdAt)}  ${cleanLine(messageId)}`);
		output.text(safe`    ${cleanLine(snippet)}`);
	}
	const {searchedBytes} = searched;
	if (searchedBytes !== undefined) output.note(strings.search.searchedOf(byteSize(searchedBytes)));
	// If it can't be read, only transcripts were searched.
	requireWhole(database);
	return showSaved(context, searched.listed === 0, async () => {
		if (searched.listed === 0) throw new NothingFoundError(strings.search.none);
	});
}

function* foundMessages({listed, read}: SearchedMessages): Generator<FoundMessage> {
	for (let from = 0; from < listed; from += pageSize) yield* read(from, from + pageSize);
}
