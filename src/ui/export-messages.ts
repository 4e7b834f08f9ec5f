import {createExportTable, type ExportPage} from '../domain/export-table.ts';
import type {Stream} from '../state/stream.ts';
import {sessionMarkdown} from '../text/messages/session-markdown.ts';
import {exportForm} from './dialogs/form/export-form.ts';
import {openForm} from './dialogs/form/open-form.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

/** Opens the form that exports an open session's messages, as far as they are on the screen's stream. */
export function exportMessages(parts: AppParts, stream: Stream, name: string): void {
	openForm(parts, exportForm(messagesPage(parts, stream, name)));
}

function messagesPage({stores}: AppParts, stream: Stream, name: string): ExportPage {
	const {sessionId, entries, hasOlder, hasNewer, hasUnread} = stream;
	const items = entries.filter(entry => entry.kind === 'message');
	const isPart = hasOlder || hasNewer || hasUnread || items.length < entries.length;
	const known = stores.fleet.getState().sessions.get(sessionId);
	return {
		name: name.slice(0, 40),
		selection: {view: 'messages', session: sessionId},
		notes: isPart ? [strings.partOfMessages(sessionId)] : undefined,
		tables: [
			createExportTable('messages', ['id'], items, ({message, role}) => ({...message, ...(role && {role})})),
		],
		document: () => [...sessionMarkdown(sessionId, known, items)].map(line => `${line}\n`),
	};
}
