import type {Computer} from '../../domain/computer.ts';
import type {Progress, StepProgress} from '../../domain/provisioning.ts';
import {retryInstall} from '../../domain/provisioning.ts';
import type {Problem} from '../../state/fleet.ts';
import type {ComputerItem} from '../../state/lists.ts';
import {cleanLine, cleanText} from '../../text/clean.ts';
import {cutMiddle, pad} from '../../text/cut.ts';
import {fitLine, type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {age, dateTime, duration} from '../../text/times.ts';
import {textWidth} from '../../text/width.ts';
import {wrapText} from '../../text/wrap.ts';
import {barLine} from '../kit/bar.ts';
import {computerLook, isUnderWay, stepLooks} from './computer-state.ts';

export type ComputerDetail = {
	readonly item: ComputerItem;
	readonly progress: Progress;
	readonly problem?: Problem;
	readonly now: number;
};

/** Longest error text that is laid out, in rows. */
const errorRows = 200;

/** A computer, whole: its progress with each step, the full error of a failed one, what can be done, its facts. */
export function computerDetailLines(detail: ComputerDetail, width: number): Line[] {
	const {item, progress, problem} = detail;
	const {computer} = item.known;
	return [
		[],
		...(problem ? problemLines(problem, detail, width) : []),
		...(computer === undefined && !problem
			? [[span(safe`Not read yet. r asks the service now.`, 'dim')]]
			: []),
		...(progress.total > 0 ? [...overall(detail, width), []] : []),
		// Above the steps: a failed one brings an error of any length.
		...(computer ? nextLines(computer, progress, width) : []),
		...(progress.total > 0 ? [...stepLines(progress.steps, width), []] : []),
		...(computer ? factLines(computer, width) : []),
	];
}

function problemLines(problem: Problem, {item, now}: ComputerDetail, width: number): Line[] {
	if (problem.isStarting)
		return [[span(safe`◌ Starting: the service can't find it yet. It is asked again.`, 'info')], []];
	const isKnown = item.known.computer !== undefined;
	const rest = isKnown ? safe`; what is shown is the last known` : safe``;
	const what = safe`✗ ${cleanLine(problem.what)} (${age(now - problem.at)} ago${rest})`;
	const hint = problem.hint === undefined ? [] : wrapText(cleanLine(problem.hint), width);
	return [
		...wrapText(what, width).map(row => [span(row, 'bad')]),
		...hint.map(row => [span(row, 'dim')]),
		[],
	];
}

function overall({item, progress}: ComputerDetail, width: number): Line[] {
	const look = computerLook(item, progress);
	const {done, total, eta} = progress;
	const isMoving = isUnderWay(item.known.computer?.status, progress);
	const tone = look.tone === 'dim' ? 'good' : look.tone;
	const left = eta === undefined || !isMoving ? safe`` : safe`   about ${duration(eta)} left`;
	return [
		[
			span(safe`${look.glyph} ${look.word}`, tone, {bold: true}),
			span(safe`   ${done} of ${total} steps`),
			span(left, 'dim'),
		],
		barLine(total === 0 ? 0 : done / total, Math.min(width, 72), isMoving ? 'accent' : tone),
	];
}

function stepLines(steps: readonly StepProgress[], width: number): Line[] {
	const names = steps.map(step => cleanLine(step.step.name ?? step.step.id ?? 'step', 200));
	const nameWidth = Math.min(Math.max(8, ...names.map(textWidth)), Math.max(8, width - 30));
	return steps.flatMap((step, index) => {
		const look = stepLooks[step.state];
		const word = step.raw === undefined ? look.word : cleanLine(step.raw, 16);
		const late = step.isLong && step.usual !== undefined ? safe`   usually ${duration(step.usual)}` : safe``;
		const isIdle = step.state === 'pending' || step.state === 'skipped';
		const head: Line = [
			span(safe` ${look.glyph} `, look.tone),
			span(
				pad(names[index] ?? safe``, nameWidth),
				isIdle ? 'dim' : step.state === 'running' ? 'strong' : undefined,
			),
			span(safe`  ${pad(word, 9)}`, look.tone === 'good' ? 'dim' : look.tone),
			span(pad(step.elapsed === undefined ? safe`` : duration(step.elapsed), 9, 'end'), 'dim'),
			span(late, 'warn'),
		];
		return [head, ...errorLines(step, width)];
	});
}

function errorLines({step}: StepProgress, width: number): Line[] {
	if (!step.error) return [];
	const rows = wrapText(cleanText(step.error), Math.max(10, width - 6), errorRows);
	return rows.map(row => [span(safe`   │ `, 'bad'), span(row, 'bad')]);
}

/** What to do now, one key a line. */
function nextLines(computer: Computer, progress: Progress, width: number): Line[] {
	const hints: [Safe, Safe][] = [];
	if (retryInstall(computer).isPossible) hints.push([safe`R`, safe`runs the dependency install again`]);
	if (progress.steps.some(({step}) => step.installSessionId !== undefined))
		hints.push([safe`i`, safe`opens the output of the install`]);
	if (computer.status === 'active') hints.push([safe`s`, safe`opens a session here`]);
	else if (computer.status === 'provisioning')
		hints.push([safe`s`, safe`opens a session already; a notice tells when it is up`]);
	if (hints.length === 0) return [];
	return [
		...hints.map(([key, words]) => fitLine([span(key, 'strong'), span(safe`  ${words}`, 'info')], width)),
		[],
	];
}

function factLines(computer: Computer, width: number): Line[] {
	const facts: [Safe, Safe][] = [[safe`id`, cleanLine(computer.id)]];
	const add = (title: Safe, value: string | undefined) => {
		if (value !== undefined && value !== '') facts.push([title, cleanLine(value)]);
	};
	add(safe`status`, computer.status);
	add(safe`provider`, computer.providerType);
	add(safe`host`, computer.hostname);
	add(safe`host id`, computer.hostId);
	add(safe`user`, computer.remoteUser);
	if (computer.createdAt !== undefined) facts.push([safe`created`, dateTime(computer.createdAt)]);
	return facts.map(([title, value]) => [
		span(pad(title, 10), 'dim'),
		span(cutMiddle(value, Math.max(4, width - 10))),
	]);
}
