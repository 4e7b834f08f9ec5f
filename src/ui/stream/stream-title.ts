import {isArchived} from '../../domain/known.ts';
import {
	type ContextUse,
	contextLeft,
	isContextLow,
	modeTitle,
	type SessionSettings,
} from '../../domain/sessions/session.ts';
import type {FolderSummary} from '../../domain/sessions/work-folder.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {lookText, sessionLook, statusSource} from '../../state/sessions/session-look.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {firstFitting, type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {changedLines, shortNumber} from '../../text/values/numbers.ts';

/** Names are truncated to no less than this, whatever the state's width. */
const minNameWidth = 12;

type TitleOptions = {
	readonly now: number;
	readonly isFocused: boolean;
	readonly width: number;
};

/**
 * `api-migration · build-box · ● working · model-x · reported 3s ago` in `width` columns. The name comes first, as much of
 * it as fits beside the state; then whatever else has room, the branch and an unusual mode before the age. The age is last, so that
 * nothing moves as it changes.
 */
export function streamTitle(item: SessionItem, {now, isFocused, width}: TitleOptions): Line {
	const look = sessionLook(item, now);
	const dot = span(safe` · `, 'border');
	const host = item.computerName ?? item.computerId;
	const settings = item.known?.session?.sessionSettings;
	const where = host === undefined ? [] : [dot, span(cleanLine(host, 40), 'dim')];
	const state = [dot, span(lookText(look), look.tone)];
	const source = span(statusSource(item, now), 'dim');
	// If nothing else is known of it, that is its state.
	const archived =
		isArchived(item.known) && item.state !== 'ended' ? [dot, span(safe`archived`, 'warn')] : [];
	const {agent, mode, workFolder, context} = item.known?.session ?? {};
	const folder = folderSpans(workFolder, dot);
	const agentName = agent ? [dot, span(cleanLine(agent, 24), 'dim'), ...modeSpans(agent, mode, dot)] : [];
	const unusualMode = agent && mode !== 'ask' ? modeSpans(agent, mode, dot) : [];
	const model = settings?.model ? [dot, span(cleanLine(settings.model, 40), 'dim')] : [];
	const tokens = [...contextSpans(context, dot), ...usageSpans(settings, dot)];
	const tags = (settings?.tags ?? [])
		.slice(0, 8)
		.map(tag => span(safe` #${cleanLine(tag.name, 24)}`, 'info'));
	const whole = cleanLine(item.name, 200);
	const nameWidth = textWidth(whole);
	const isCut = nameWidth + lineWidth([...state, ...archived]) > width;
	const rest = firstFitting(
		[
			[...where, ...state, ...archived, ...folder, ...agentName, ...model, ...tokens, ...tags, source],
			[...where, ...state, ...archived, ...folder, ...agentName, ...model, ...tokens, source],
			[...where, ...state, ...archived, ...folder, ...agentName, ...model, source],
			[...where, ...state, ...archived, ...folder, ...agentName, source],
			[...where, ...state, ...archived, ...folder, ...unusualMode, source],
			[...where, ...state, ...archived, ...folder, ...unusualMode],
			[...where, ...state, ...archived, ...unusualMode, source],
			[...where, ...state, ...archived, ...unusualMode],
			[...state, ...archived, ...unusualMode, source],
			[...state, ...archived, ...unusualMode],
			[...where, ...state, ...archived],
			[...state, ...archived],
			state,
		],
		// A name that is cut anyway leaves half of the width to the others.
		width - (isCut ? Math.max(minNameWidth, Math.ceil(width / 2)) : nameWidth),
	);
	const name = cutEnd(whole, Math.max(minNameWidth, width - lineWidth(rest)));
	return [span(name, isFocused ? 'heading' : 'strong'), ...rest];
}

/** What the agent may do unasked; the shell asks nothing. */
function modeSpans(agent: string, mode: string | undefined, dot: Span): Line {
	if (mode === undefined || agent === 'shell') return [];
	return [dot, span(cleanLine(modeTitle(mode), 24), mode === 'ask' ? 'dim' : 'warn')];
}

/** The branch, and the lines changed since its last commit. */
function folderSpans(folder: FolderSummary | undefined, dot: Span): Line {
	const counts = changedLines(folder);
	const branch = folder?.branch ? [span(safe`branch ${cleanLine(folder.branch, 40)}`, 'dim')] : [];
	if (branch.length + counts.length === 0) return [];
	return [dot, ...branch, ...(branch.length > 0 && counts.length > 0 ? [span(safe` `)] : []), ...counts];
}

function contextSpans(context: ContextUse | undefined, dot: Span): Line {
	const left = contextLeft(context);
	if (left === undefined) return [];
	return [dot, span(safe`${left} % context left`, isContextLow(left) ? 'warn' : 'dim')];
}

/**
 * Input and output tokens, including child sessions if the service reports them. None of either tells nothing: an
 * interrupted first turn reports that, although it used some.
 */
function usageSpans(settings: SessionSettings | undefined, dot: Span): Line {
	const usage = settings?.inclusiveTokenUsage ?? settings?.tokenUsage;
	const {inputTokens, outputTokens, serviceCredits} = usage ?? {};
	if (inputTokens || outputTokens)
		return [dot, span(safe`${shortNumber(inputTokens)} in ${shortNumber(outputTokens)} out`, 'dim')];
	return serviceCredits === undefined ? [] : [dot, span(safe`${shortNumber(serviceCredits)} credits`, 'dim')];
}
