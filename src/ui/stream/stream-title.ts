import type {Computer} from '../../domain/computer.ts';
import {isArchived} from '../../domain/known.ts';
import type {SessionSettings} from '../../domain/session.ts';
import type {SessionItem} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd} from '../../text/cut.ts';
import {type Line, lineWidth, type Span, span} from '../../text/line.ts';
import {shortNumber} from '../../text/numbers.ts';
import {safe} from '../../text/safe.ts';
import {sessionLook} from '../panes/session-state.ts';
import {statusSource} from '../panes/status-source.ts';

/** A name is cut so far, for what is said of the session to have room. */
const minNameWidth = 12;

/**
 * `api-migration · build-box · ● working (hook 3s ago) · model-x` in about `width` columns: every status says its
 * source and age, and the name gives way first. Beside others there is room for less: the state stays whole.
 */
export function streamTitle(
	item: SessionItem,
	computer: Computer | undefined,
	{now, isFocused, width}: {readonly now: number; readonly isFocused: boolean; readonly width: number},
): Line {
	const {glyph, word, tone} = sessionLook(item);
	const dot = span(safe` · `, 'border');
	const place = computer?.name ?? item.computerId ?? item.client;
	const settings = item.known?.session?.sessionSettings;
	const where = place === undefined ? [] : [dot, span(cleanLine(place, 40), 'dim')];
	const state = [dot, span(safe`${glyph} ${word}`, tone)];
	const source = span(statusSource(item, now), 'dim');
	const archived = isArchived(item.known) ? [dot, span(safe`archived`, 'warn')] : [];
	const model = settings?.model ? [dot, span(cleanLine(settings.model, 40), 'dim')] : [];
	const whole = [...where, ...state, source, ...archived, ...model];
	const least = [...state, ...archived];
	const rest =
		[whole, [...where, ...state, source, ...archived], [...state, source, ...archived]].find(
			line => minNameWidth + lineWidth(line) <= width,
		) ?? least;
	// Cut off where there is no room: the details of the session have them whole.
	const more = [
		...usageSpans(settings, dot),
		...(settings?.tags ?? []).slice(0, 8).map(tag => span(safe` #${cleanLine(tag.name, 24)}`, 'info')),
	];
	const name = cutEnd(cleanLine(item.name, 60), Math.max(minNameWidth, width - lineWidth(rest)));
	return [span(name, isFocused ? 'heading' : 'strong'), ...rest, ...more];
}

/** Tokens in and out, those of child sessions included where the service tells them. */
function usageSpans(settings: SessionSettings | undefined, dot: Span): Line {
	const usage = settings?.inclusiveTokenUsage ?? settings?.tokenUsage;
	const {inputTokens, outputTokens, serviceCredits} = usage ?? {};
	if (inputTokens !== undefined || outputTokens !== undefined)
		return [dot, span(safe`${shortNumber(inputTokens)} in ${shortNumber(outputTokens)} out`, 'dim')];
	return serviceCredits === undefined ? [] : [dot, span(safe`${shortNumber(serviceCredits)} credits`, 'dim')];
}
