import {connectionNeeds} from '../../actions/machines.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {type Progress, retryInstall, type StepProgress} from '../../domain/computers/provisioning.ts';
import type {Origin} from '../../domain/known.ts';
import type {ComputerItem} from '../../state/computers/computer-items.ts';
import {computerLook, isProvisioning, providerWords} from '../../state/computers/computer-look.ts';
import type {Problem} from '../../state/fleet.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {fitLine, type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {barLine} from '../../text/charts/bar.ts';
import {age, dateTime, duration, wholeDuration} from '../../text/values/times.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {outputLines} from './install-output.ts';
import {problemLines} from './problem-lines.ts';
import {stepLines} from './step-lines.ts';
import {strings} from './strings.ts';

type ComputerDetail = {
	readonly item: ComputerItem;
	readonly progress: Progress;
	readonly problem?: Problem;
	readonly now: number;
	/** The last lines of the install output, raw. */
	readonly output?: readonly string[];
	/** Number of known sessions on this computer, and of those among them that need the user. */
	readonly sessions: number;
	readonly needs: number;
	readonly keys: Pick<KeyMap, 'label'>;
};

/** A computer's full detail in a pane of `height` rows: progress of each step, full errors, possible actions and fields. */
export function computerDetailLines(detail: ComputerDetail, width: number, height: number): Line[] {
	const {item, progress, problem, output = []} = detail;
	const {computer} = item.known;
	const head = [
		[],
		...(problem ? readProblem(problem, detail, width) : []),
		...(computer === undefined && !problem ? [[span(unreadText(detail), 'dim')], []] : []),
		...(progress.total > 0 ? [...progressLines(detail, width), []] : []),
	];
	const linesOf = (all: readonly StepProgress[]) => (all.length > 0 ? [...stepLines(all, width), []] : []);
	const steps = linesOf(progress.steps);
	const actions = computer ? actionLines(detail, computer, width) : [];
	// If not all of it fits, the keys stay in sight, and the steps that matter.
	const isLong = head.length + steps.length + actions.length > height;
	return [
		...head,
		...(isLong ? [...actions, ...linesOf(urgentFirst(progress.steps))] : [...steps, ...actions]),
		...outputLines(output, width),
		...fieldLines(detail, width),
	];
}

function urgentFirst(steps: readonly StepProgress[]): readonly StepProgress[] {
	const isUrgent = ({state}: StepProgress) => state === 'running' || state === 'failed';
	return steps.toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
}

function unreadText({item, keys}: ComputerDetail): Safe {
	return item.isStarting
		? strings.computers.settingUp
		: safe`Not read yet; ${keys.label('refresh')} reads it now.`;
}

function readProblem(problem: Problem, {item, now}: ComputerDetail, width: number): Line[] {
	if (problem.isStarting)
		return [[span(safe`◌ Starting: the service doesn't list it yet. Retrying.`, 'info')], []];
	const state = item.known.computer ? safe`; showing the last known state` : safe``;
	const what = safe`✗ ${cleanLine(problem.what)} (${age(now - problem.at)} ago${state})`;
	return problemLines(what, problem.hint, width);
}

function progressLines({item, progress}: ComputerDetail, width: number): Line[] {
	const look = computerLook(item);
	const {done, total, eta, elapsed} = progress;
	const isMoving = isProvisioning(item);
	const tone = look.tone === 'dim' ? 'good' : look.tone;
	const time =
		elapsed === undefined ? safe`` : safe`   ${isMoving ? wholeDuration(elapsed) : duration(elapsed)}`;
	const left = !eta || !isMoving ? safe`` : safe`   about ${wholeDuration(eta)} left`;
	const head = [
		span(safe`${look.glyph} ${look.word}`, tone, {bold: true}),
		span(safe`   ${done} of ${total} ${total === 1 ? safe`step` : safe`steps`}`),
	];
	const times = [span(time, 'dim'), span(left, 'dim')];
	const isFitting = lineWidth([...head, ...times]) <= width;
	return [
		isFitting ? [...head, ...times] : head,
		...(isFitting ? [] : [times]),
		barLine(total === 0 ? 0 : done / total, Math.min(width, 72), isMoving ? 'accent' : tone),
	];
}

/** The available actions, one key per line. */
function actionLines(
	{progress, sessions, keys: {label}}: ComputerDetail,
	computer: Computer,
	width: number,
): Line[] {
	const hints: [Safe, Safe][] = [];
	const needs = connectionNeeds(computer);
	if (computer.host && computer.status === 'error' && needs !== 'changed-key')
		hints.push([
			label('connect-computer'),
			needs === 'log-in' ? safe`logs in with ssh here, and tries again` : safe`tries again now`,
		]);
	const retry = retryInstall(computer);
	if (retry.isPossible) hints.push([label('retry-install'), safe`retries the dependency install`]);
	if (progress.steps.some(({step}) => step.installSessionId !== undefined))
		hints.push([label('install-session'), safe`opens the install output`]);
	if (computer.status === 'active' || computer.status === 'provisioning')
		hints.push([label('new-session'), safe`starts a session here: asks what it should do`]);
	if (sessions > 0) hints.push([label('list-sessions'), safe`lists its sessions`]);
	if (hints.length === 0) return [];
	const indent = 2 + Math.max(...hints.map(([key]) => textWidth(key)));
	return [...hints.flatMap(([key, text]) => keyLines(pad(key, indent), text, width)), []];
}

function keyLines(key: Safe, text: Safe, width: number): Line[] {
	const indent = textWidth(key);
	const rows = wrapText(text, Math.max(10, width - indent));
	return rows.map((row, index) =>
		fitLine([span(index === 0 ? key : pad(safe``, indent), 'strong'), span(row, 'info')], width),
	);
}

const originText: Readonly<Record<Origin, Safe>> = {
	created: safe`created here`,
	added: safe`added by id`,
	'install-step': safe`seen in an install step`,
	child: safe`seen in a session`,
	hook: safe`seen in a hook event`,
	local: safe`discovered on this machine`,
};

function fieldLines({item, now, sessions, needs}: ComputerDetail, width: number): Line[] {
	const {id, computer, origin, addedAt, fetchedAt} = item.known;
	/** Title, value, and the contract's word for it. */
	const rows: [Safe, Safe, Safe?][] = [[safe`id`, cleanLine(id)]];
	const add = (title: Safe, value: string | undefined) => {
		if (value !== undefined && value !== '') rows.push([title, cleanLine(value)]);
	};
	add(safe`status`, computer?.status);
	const provider = providerWords(computer?.providerType);
	if (provider) rows.push([safe`provider`, ...provider]);
	add(safe`host`, computer?.hostname);
	add(safe`host id`, computer?.hostId);
	add(safe`user`, computer?.remoteUser);
	add(safe`folder`, computer?.folder);
	if (computer?.createdAt !== undefined) rows.push([safe`created`, dateTime(computer.createdAt)]);
	const waiting = needs === 0 ? safe`` : safe`, ${needs} ${needs === 1 ? safe`needs` : safe`need`} you`;
	rows.push([safe`sessions`, sessions === 0 ? safe`none known` : safe`${sessions}${waiting}`]);
	if (fetchedAt !== undefined) rows.push([safe`checked`, safe`${age(now - fetchedAt)} ago`]);
	rows.push([safe`origin`, safe`${originText[origin]}, ${age(now - addedAt)} ago`]);
	return rows.flatMap(([title, value, contractWord]) => {
		const room = Math.max(4, width - 10);
		// An id is there to be read and typed: it is whole.
		const values = title === 'id' ? wrapText(value, room) : [cutMiddle(value, room)];
		return values.map((row, index) => [
			span(pad(index === 0 ? title : safe``, 10), 'dim'),
			span(row),
			...(contractWord === undefined ? [] : [span(safe` ${contractWord}`, 'dim')]),
		]);
	});
}
