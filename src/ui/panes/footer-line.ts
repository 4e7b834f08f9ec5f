import type {Binding} from '../../keys/bindings.ts';
import {keyLabel} from '../../keys/key-label.ts';
import type {Notice} from '../../state/notices.ts';
import {cleanLine} from '../../text/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';

const noticeTones = {info: 'info', good: 'good', bad: 'bad'} as const;
const noticeGlyphs = {info: safe`·`, good: safe`✓`, bad: safe`✗`} as const;

/** Hints of the focused pane on the left, the newest notice on the right; a notice takes the room it needs. */
export function footerLine(hints: readonly Binding[], notice: Notice | undefined, width: number): Line {
	const told: Line = notice
		? fitLine(
				[
					span(safe`${noticeGlyphs[notice.tone]} `, noticeTones[notice.tone]),
					span(cleanLine(notice.text, 400), noticeTones[notice.tone]),
					span(safe` `),
				],
				width - 1,
			)
		: [];
	const room = width - lineWidth(told) - (notice ? 2 : 0);
	const shown = hintSpans(hints, room);
	return [...padLine(shown, width - lineWidth(told)), ...told];
}

/** As many whole hints as fit. */
function hintSpans(hints: readonly Binding[], room: number): Line {
	const line = [span(safe` `)];
	for (const hint of hints) {
		const next = [
			span(keyLabel(hint.keys[0]), 'strong'),
			span(safe` ${cleanLine(hint.hint ?? hint.title)}`, 'dim'),
			span(safe`   `),
		];
		if (lineWidth(line) + lineWidth(next) - 3 > room) continue;
		line.push(...next);
	}
	return fitLine(line, Math.max(0, room));
}
