import type {Computer} from '../../domain/computers/computer.ts';
import {type Progress, retryInstall} from '../../domain/computers/provisioning.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import type {Problem} from '../../state/fleet.ts';
import type {ComputerItem} from '../../state/lists.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle, pad} from '../../text/cells/cut.ts';
import {fitLine, type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {age, dateTime, wholeDuration} from '../../text/values/times.ts';
import {barLine} from '../kit/bar.ts';
import {computerLook, isUnderWay} from '../looks/computer-look.ts';
import {outputLines} from './install-output.ts';
import {stepLines} from './step-lines.ts';

export type ComputerDetail = {
	readonly item: ComputerItem;
	readonly progress: Progress;
	readonly problem?: Problem;
	readonly now: number;
	/** The last lines of the install output, raw. */
	readonly output?: readonly string[];
	/** Number of known sessions on this computer, and of those that need the user. */
	readonly sessions: number;
	readonly needs: number;
	readonly keys: Pick<KeyMap, 'label'>;
};

/** A computer's full detail: progress of each step, full errors, possible actions and facts. */
export function computerDetailLines(detail: ComputerDetail, width: number): Line[] {
	const {item, progress, problem, output = [], keys} = detail;
	const {computer} = item.known;
	return [
		[],
		...(problem ? problemLines(problem, detail, width) : []),
		...(computer === undefined && !problem
			? [[span(safe`Not read yet. ${keys.label('refresh')} asks the service now.`, 'dim')], []]
			: []),
		...(progress.total > 0 ? [...overall(detail, width), []] : []),
		// Above the steps, because a failed step's error can be of any length.
		...(computer ? nextLines(detail, computer, width) : []),
		...(progress.total > 0 ? [...stepLines(progress.steps, width), []] : []),
		...outputLines(output, width),
		...factLines(detail, width),
	];
}

function problemLines(problem: Problem, {item, now}: ComputerDetail, width: number): Line[] {
	if (problem.isStarting)
		return [[span(safe`◌ Starting: the service can't find it yet; trying again.`, 'info')], []];
	const isKnown = item.known.computer !== undefined;
	const rest = isKnown ? safe`; showing the last known state` : safe``;
	const what = safe`✗ ${cleanLine(problem.what)} (${age(now - problem.at)} ago${rest})`;
	const hint = problem.hint === undefined ? [] : wrapText(cleanLine(problem.hint), width);
	return [
		...wrapText(what, width).map(row => [span(row, 'bad')]),
		...hint.map(row => [span(row, 'dim')]),
		[],
	];
}

function overall({item, progress}: ComputerDetail, width: number): Line[] {
	const look = computerLook(item);
	const {done, total, eta, elapsed} = progress;
	const isMoving = isUnderWay(item);
	const tone = look.tone === 'dim' ? 'good' : look.tone;
	const time = elapsed === undefined ? safe`` : safe`   ${wholeDuration(elapsed)}`;
	const left = !eta || !isMoving ? safe`` : safe`   about ${wholeDuration(eta)} left`;
	const head = [
		span(safe`${look.glyph} ${look.word}`, tone, {bold: true}),
		span(safe`   ${done} of ${total} steps`),
	];
	const times = [span(time, 'dim'), span(left, 'dim')];
	const isFitting = lineWidth([...head, ...times]) <= width;
	return [
		isFitting ? [...head, ...times] : head,
		...(isFitting ? [] : [times]),
		barLine(total === 0 ? 0 : done / total, Math.min(width, 72), isMoving ? 'accent' : tone),
	];
}

/** The available actions, one key per line; a disabled one shows why. */
function nextLines(
	{progress, sessions, keys: {label}}: ComputerDetail,
	computer: Computer,
	width: number,
): Line[] {
	const hints: [Safe, Safe, 'info' | 'dim'][] = [];
	const retry = retryInstall(computer);
	if (retry.isPossible) hints.push([label('retry-install'), safe`runs the dependency install again`, 'info']);
	if (progress.steps.some(({step}) => step.installSessionId !== undefined))
		hints.push([label('install-session'), safe`opens the install output`, 'info']);
	if (computer.status === 'active') hints.push([label('open-session'), safe`opens a session here`, 'info']);
	else if (computer.status === 'provisioning')
		hints.push([
			label('open-session'),
			safe`opens a session before it is up; a notice says when it is`,
			'info',
		]);
	if (sessions > 0) hints.push([label('list-sessions'), safe`lists its sessions`, 'info']);
	if (!retry.isPossible)
		hints.push([label('retry-install'), safe`not available: ${cleanLine(retry.why)}`, 'dim']);
	const indent = 2 + Math.max(...hints.map(([key]) => textWidth(key)));
	return [...hints.flatMap(([key, words, tone]) => keyLines(pad(key, indent), words, tone, width)), []];
}

function keyLines(key: Safe, words: Safe, tone: 'info' | 'dim', width: number): Line[] {
	const indent = textWidth(key);
	const rows = wrapText(words, Math.max(10, width - indent));
	return rows.map((row, index) =>
		fitLine(
			[span(index === 0 ? key : pad(safe``, indent), tone === 'dim' ? 'dim' : 'strong'), span(row, tone)],
			width,
		),
	);
}

function factLines({item, now, sessions, needs}: ComputerDetail, width: number): Line[] {
	const {id, computer, origin, addedAt, fetchedAt} = item.known;
	const rows: [Safe, Safe][] = [[safe`id`, cleanLine(id)]];
	const add = (title: Safe, value: string | undefined) => {
		if (value !== undefined && value !== '') rows.push([title, cleanLine(value)]);
	};
	add(safe`status`, computer?.status);
	add(safe`provider`, computer?.providerType);
	add(safe`host`, computer?.hostname);
	add(safe`host id`, computer?.hostId);
	add(safe`user`, computer?.remoteUser);
	if (computer?.createdAt !== undefined) rows.push([safe`created`, dateTime(computer.createdAt)]);
	const waiting = needs === 0 ? safe`` : needs === 1 ? safe`, 1 needs you` : safe`, ${needs} need you`;
	rows.push([safe`sessions`, sessions === 0 ? safe`none known` : safe`${sessions}${waiting}`]);
	if (fetchedAt !== undefined) rows.push([safe`read`, safe`${age(now - fetchedAt)} ago`]);
	rows.push([safe`known`, safe`${originText[origin]}, ${age(now - addedAt)} ago`]);
	return rows.map(([title, value]) => [
		span(pad(title, 10), 'dim'),
		span(cutMiddle(value, Math.max(4, width - 10))),
	]);
}

const originText: Readonly<Record<ComputerItem['known']['origin'], Safe>> = {
	created: safe`created here`,
	added: safe`added by id`,
	'install-step': safe`seen in an install step`,
	child: safe`seen in a session`,
	hook: safe`seen in a hook event`,
	local: safe`discovered on this machine`,
};
