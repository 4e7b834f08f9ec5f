import type {ActionName} from '../../keys/bindings.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import {type UsageTab, usageTabs} from '../../state/organization-reading.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, lineWidth, type Span, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';

type Keys = Pick<KeyMap, 'label'>;

/**
 * The tabs by the keys that open them, marked in their names; the open one is in brackets, so that it is told without
 * colour. Where they are too wide, the others are their keys alone.
 */
export function tabsLine(open: UsageTab, width: number, keys: Keys): Line {
	return tabSpans(open, width, keys).flat();
}

/** What opens the tab at a column of their line. */
export function tabActionAt(
	column: number,
	open: UsageTab,
	width: number,
	keys: Keys,
): ActionName | undefined {
	let end = 0;
	const index = tabSpans(open, width, keys).findIndex(spans => {
		end += lineWidth(spans);
		return column < end;
	});
	const tab = usageTabs[index];
	return tab && `tab-${tab}`;
}

function tabSpans(open: UsageTab, width: number, keys: Keys): Span[][] {
	const whole = usageTabs.map(name => spansOf(name, name === open, true, keys));
	return lineWidth(whole.flat()) <= width
		? whole
		: usageTabs.map(name => spansOf(name, name === open, name === open, keys));
}

function spansOf(name: UsageTab, isOpen: boolean, isWhole: boolean, {label}: Keys): Span[] {
	const [before, key, after] = marked(name, label(`tab-${name}`));
	const tone = isOpen ? 'accent' : 'dim';
	const isLast = name === usageTabs.at(-1);
	return [
		span(isOpen ? safe`[` : safe` `, 'accent'),
		...(isWhole ? [span(before, tone)] : []),
		span(key, isOpen ? 'accent' : 'strong', {bold: true}),
		...(isWhole ? [span(after, tone)] : []),
		span(isLast ? (isOpen ? safe`]` : safe``) : isOpen ? safe`] ` : safe`  `, 'accent'),
	];
}

/** A name around the letter that is its key; a key that is none of its letters stands before it. */
function marked(name: UsageTab, key: Safe): readonly [before: Safe, key: Safe, after: Safe] {
	const at = name.indexOf(key);
	if (at < 0) return [safe``, key, safe` ${cleanLine(name)}`];
	return [cleanLine(name.slice(0, at)), key, cleanLine(name.slice(at + key.length))];
}
