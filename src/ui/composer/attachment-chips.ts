import type {AttachmentInfo} from '../../domain/messages/attachment.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {strings} from './strings.ts';

const glyphs = {image: safe`▣`, file: safe`≡`} as const;
/** Minimum width of a truncated name, in columns. */
const minNameWidth = 8;

/** Icon, name, type and size of an attachment. `name` is already truncated. */
export function attachmentSpans({kind, type, bytes}: AttachmentInfo, name: Safe): Span[] {
	return [
		span(safe`${glyphs[kind]} `, 'info'),
		span(name),
		span(safe` ${cleanLine(type)} ${byteSize(bytes)}`, 'dim'),
	];
}

/** The attachments that fit in a row, their names truncated as needed, and the count of the others. */
export function attachmentChips(attachments: readonly AttachmentInfo[], width: number): Line {
	for (let count = attachments.length; count > 0; count--) {
		const rest = attachments.length - count;
		const end: Line = rest > 0 ? [span(safe` +${rest}`, 'dim')] : [];
		const shown = attachments.slice(0, count);
		const withoutNames = [...shown.flatMap(one => chip(one, safe``)), ...end];
		const room = Math.floor((width - lineWidth(withoutNames)) / count);
		if (room >= minNameWidth || (count === 1 && room > 0))
			return [...shown.flatMap(one => chip(one, cutMiddle(cleanLine(one.name, 255), room))), ...end];
	}
	return attachments.length > 0 ? [span(strings.attached(attachments.length), 'info')] : [];
}

function chip(attachment: AttachmentInfo, name: Safe): Line {
	return [span(safe`[`, 'border'), ...attachmentSpans(attachment, name), span(safe`] `, 'border')];
}
