import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {type Line, lineText} from '../../../src/text/cells/line.ts';
import {isCollapsed} from '../../../src/text/messages/collapsed-rows.ts';
import {messageParts} from '../../../src/text/messages/message-parts.ts';
import {RowCache} from '../../../src/text/messages/message-rows.ts';
import {itemRows} from '../../../src/ui/stream/item-rows.ts';
import {messageIds, type StreamItem, streamItems} from '../../../src/ui/stream/stream-items.ts';
import {type Conversation, messagesOf, readConversations} from '../../support/conversations.ts';

const at = new Date(2026, 10, 21, 14).getTime();

function drawn(conversation: Conversation, width: number, isExpanded: boolean) {
	const entries = messagesOf(conversation).map(({role, content, ago}, index) => {
		const id = `m${index}`;
		return {
			kind: 'message' as const,
			id,
			version: 1,
			role,
			message: {id, content, createdAt: at - ago * 1000},
		};
	});
	const cache = new RowCache();
	return streamItems(entries, []).map(item => ({
		item,
		parts: messageIds(item).flatMap(id =>
			messageParts(entries.find(entry => entry.id === id)?.message ?? {id}),
		),
		rows: itemRows(cache, 's', item, {width, isExpanded}, {label: () => 'k' as never}),
	}));
}

/** What isn't shown as words: colors, a shell around a script, and what marks and signs stand for. */
const drawnOtherwise = /\u001b\[[\d;]*m|^(?:\S*bash )?-lc\b|^bash$|\[(?:completed|in_progress)\]|```diff/g;
const fieldsDrawnOtherwise = new Set(['status', 'activeForm', 'priority', 'header']);

/** All words of a value but those that a row may break; each wide character is one. */
function wordsOf(value: unknown): string[] {
	if (typeof value === 'number') return [String(value)];
	if (typeof value !== 'string')
		return Object.entries(value ?? {}).flatMap(([name, inner]) =>
			fieldsDrawnOtherwise.has(name) ? [] : wordsOf(inner),
		);
	const words = value.replace(drawnOtherwise, '').match(/[\u3040-\ud7a3]|[\p{L}\p{N}]+/gu) ?? [];
	return words.filter(word => word.length <= 16);
}

/** The words of an item's parts that its rows don't have. */
function missingWords(rows: readonly Line[], parts: readonly unknown[]): string[] {
	const wrapped = rows.map(row => lineText(row.filter(part => !part.isDecoration)).trim());
	const text = `${rows.map(lineText).join('\n')}\n${wrapped.join('')}`;
	return [...new Set(parts.flatMap(wordsOf))].filter(word => !text.includes(word));
}

const isPlan = ({entry}: StreamItem) =>
	entry.kind === 'message' && /todo|plan/i.test(String(entry.message.content?.[0]?.name));

describe.each(readConversations())('$title', conversation => {
	test.each([30, 180])('makes no row wider than %i columns', width => {
		for (const isExpanded of [false, true])
			for (const {rows} of drawn(conversation, width, isExpanded))
				for (const row of rows) expect(stringWidth(lineText(row))).toBeLessThanOrEqual(width);
	});

	test.each([66, 180])(
		'shows everything when expanded, and marks what is collapsed, at %i columns',
		width => {
			const collapsed = drawn(conversation, width, false);
			for (const [index, {item, parts, rows}] of drawn(conversation, width, true).entries()) {
				const shown = collapsed[index]?.rows ?? [];
				const contents = parts.map(part => ('text' in part ? part.text : 'input' in part ? part.input : ''));
				if (missingWords(shown, contents).length > 0)
					expect(isCollapsed(shown), lineText(shown[0] ?? [])).toBe(true);
				// Of more than 2,000 rows or 64 KiB, the last row counts the rest. What a client answers to a plan isn't shown.
				const isCut = /\+ \d+ lines|\+ the rest/.test(lineText(rows.at(-1) ?? []));
				if (!isCut) expect(missingWords(rows, isPlan(item) ? contents.slice(0, 1) : contents)).toEqual([]);
			}
		},
	);

	test('a collapsed call is a head and a few rows, without field names, line-end signs or tags', () => {
		for (const {item, parts, rows} of drawn(conversation, 66, false)) {
			const calls = parts.filter(part => part.kind === 'tool-use');
			if (calls.length === 0) continue;
			const heads = rows.filter(row => /^ {2}[✓✗·☐☑] /.test(lineText(row)));
			const changes = heads.filter(row => /[+-]\d+$/.test(lineText(row))).length;
			const failed = heads.filter(row => lineText(row).startsWith('  ✗')).length;
			const rest = calls.length - changes - failed;
			expect(rows.length).toBeLessThanOrEqual(13 * changes + 12 * failed + 9 * rest);
			const head = lineText(rows[0] ?? []);
			expect(head.trim(), item.id).toMatch(/^[✓✗·☐☑] \w/);
			expect(head).not.toMatch(/␊|<\w+>|"\w+":/);
			const fields = calls.flatMap(({input}) => Object.keys(Object(input)));
			for (const field of fields) expect(head).not.toMatch(new RegExp(`\\b${field}:`));
		}
	});

	test('an answer shows no fences, hashes or boxes of Markdown', () => {
		for (const {parts, rows} of drawn(conversation, 66, false)) {
			if (parts.some(part => part.kind !== 'text') || parts.length === 0) continue;
			const code = rows.filter(row => row.some(part => part.tint === 'code' && part.isDecoration));
			for (const row of rows.filter(row => !code.includes(row)))
				expect(lineText(row)).not.toMatch(/^\s*(?:`{3}|#{1,6} |[-*] \[[ x]\]|\|.*\|$)/);
		}
	});
});
