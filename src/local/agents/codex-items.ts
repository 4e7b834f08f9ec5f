import {z} from 'zod';
import {onOneLine} from '../../domain/sessions/hook-request.ts';
import {cutText, fileDiff, writeDiff} from './tool-text.ts';

const id = z.string().max(500);
/** For a new or deleted file, `diff` is the file's text. */
const change = z.object({
	path: z.string(),
	kind: z
		.object({
			type: z.enum(['add', 'delete', 'update']),
			move_path: z.string().nullish().catch(undefined),
		})
		.catch({type: 'update'}),
	diff: z.string().catch(''),
});
/** Items that run or change something, of the kinds that are shown. */
export const item = z.union([
	z.object({
		type: z.literal('commandExecution'),
		id,
		command: z.string(),
		aggregatedOutput: z.string().nullish(),
		exitCode: z.number().nullish(),
		durationMs: z.number().nullish(),
		status: z.string(),
	}),
	z.object({type: z.literal('fileChange'), id, changes: z.array(change), status: z.string()}),
	z.object({
		type: z.literal('mcpToolCall'),
		id,
		server: z.string(),
		tool: z.string(),
		arguments: z.unknown().optional(),
		status: z.string(),
		result: z
			.object({content: z.array(z.object({text: z.string().catch('')}))})
			.nullish()
			.catch(undefined),
		error: z.object({message: z.string()}).nullish().catch(undefined),
	}),
	z.object({type: z.literal('webSearch'), id, query: z.string()}),
]);
export type Item = z.infer<typeof item>;

export function itemName(item: Item): string {
	switch (item.type) {
		case 'commandExecution':
			return 'shell';
		case 'fileChange':
			return 'edit';
		case 'mcpToolCall':
			return `${item.server}: ${item.tool}`;
		case 'webSearch':
			return 'web search';
	}
}

export function itemInput(item: Item) {
	switch (item.type) {
		case 'commandExecution':
			return {command: item.command};
		case 'fileChange':
			return {
				path: item.changes
					.map(({path, kind}) => [path, kind.move_path].filter(Boolean).join(' → '))
					.join(', '),
			};
		case 'mcpToolCall':
			return {arguments: item.arguments};
		case 'webSearch':
			return {query: item.query};
	}
}

/** The command or change of an item. Call it before the change is made: it reads the file's current text. */
export function requestedText(item: Item): string {
	if (item.type === 'commandExecution') return item.command;
	return item.type === 'fileChange' ? diffText(item) : '';
}

export function changedPaths(item: Item | undefined): readonly string[] {
	if (item?.type !== 'fileChange') return [];
	return item.changes.flatMap(({path, kind}) => (kind.move_path ? [path, kind.move_path] : [path]));
}

/** The changes of files as diffs. Codex also adds a file that is there, so its text before is read. */
function diffText({changes}: Item & {type: 'fileChange'}): string {
	const diffs = changes.map(({path, kind, diff}) => {
		if (kind.type === 'update')
			return `--- ${onOneLine(path)}\n+++ ${onOneLine(kind.move_path ?? path)}\n${diff}`;
		return kind.type === 'add' ? writeDiff(path, diff) : fileDiff(path, diff, '');
	});
	return diffs.join('\n');
}

export function resultText(item: Item): string {
	if (item.type === 'fileChange') return cutText(diffText(item));
	if (item.type === 'mcpToolCall') {
		const texts = item.result?.content.map(({text}) => text) ?? [];
		return cutText([...texts, item.error?.message].filter(Boolean).join('\n'));
	}
	if (item.type !== 'commandExecution') return '';
	const exit = item.exitCode ? `[exit ${item.exitCode}]` : '';
	return cutText([item.aggregatedOutput ?? '', exit].filter(Boolean).join('\n'));
}

export function isFailed(item: Item): boolean {
	return 'status' in item && (item.status === 'failed' || item.status === 'declined');
}
