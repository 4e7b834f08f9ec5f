import {connectionNeeds} from '../../actions/machines.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {type Progress, retryInstall} from '../../domain/computers/provisioning.ts';
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
import {fieldTitles, originText, strings} from './strings.ts';

const words = strings.computer;

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
	const steps = progress.total > 0 ? [...stepLines(progress.steps, width), []] : [];
	const actions = computer ? actionLines(detail, computer, width) : [];
	// Above many steps or a long error, the keys stay in sight.
	const isLong = head.length + steps.length + actions.length > height;
	return [
		...head,
		...(isLong ? [...actions, ...steps] : [...steps, ...actions]),
		...outputLines(output, width),
		...fieldLines(detail, width),
	];
}

function unreadText({item, keys}: ComputerDetail): Safe {
	return item.isStarting ? strings.computers.settingUp : words.notRead(keys.label('refresh'));
}

function readProblem(problem: Problem, {item, now}: ComputerDetail, width: number): Line[] {
	if (problem.isStarting) return [[span(words.starting, 'info')], []];
	const text = item.known.computer ? words.outdatedProblem : words.problem;
	return problemLines(text(cleanLine(problem.what), age(now - problem.at)), problem.hint, width);
}

function progressLines({item, progress}: ComputerDetail, width: number): Line[] {
	const look = computerLook(item);
	const {done, total, eta, elapsed} = progress;
	const isMoving = isProvisioning(item);
	const tone = look.tone === 'dim' ? 'good' : look.tone;
	const time =
		elapsed === undefined ? safe`` : safe`   ${isMoving ? wholeDuration(elapsed) : duration(elapsed)}`;
	const left = !eta || !isMoving ? safe`` : words.timeLeft(wholeDuration(eta));
	const head = [span(safe`${look.glyph} ${look.word}`, tone, {bold: true}), span(words.steps(done, total))];
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
		hints.push([label('connect-computer'), needs === 'log-in' ? words.logIn : words.tryAgain]);
	const retry = retryInstall(computer);
	if (retry.isPossible) hints.push([label('retry-install'), words.retryInstall]);
	if (progress.steps.some(({step}) => step.installSessionId !== undefined))
		hints.push([label('install-session'), words.openOutput]);
	if (computer.status === 'active' || computer.status === 'provisioning')
		hints.push([label('new-session'), words.newSession]);
	if (sessions > 0) hints.push([label('list-sessions'), words.listSessions]);
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

function fieldLines({item, now, sessions, needs}: ComputerDetail, width: number): Line[] {
	const {id, computer, origin, addedAt, fetchedAt} = item.known;
	/** Title, value, and the contract's word for it. */
	const rows: [Safe, Safe, Safe?][] = [[fieldTitles.id, cleanLine(id)]];
	const add = (title: Safe, value: string | undefined) => {
		if (value !== undefined && value !== '') rows.push([title, cleanLine(value)]);
	};
	add(fieldTitles.status, computer?.status);
	const provider = providerWords(computer?.providerType);
	if (provider) rows.push([fieldTitles.provider, ...provider]);
	add(fieldTitles.host, computer?.hostname);
	add(fieldTitles.hostId, computer?.hostId);
	add(fieldTitles.user, computer?.remoteUser);
	add(fieldTitles.folder, computer?.folder);
	if (computer?.createdAt !== undefined) rows.push([fieldTitles.created, dateTime(computer.createdAt)]);
	const waiting = needs === 0 ? safe`` : words.waiting(needs);
	rows.push([fieldTitles.sessions, sessions === 0 ? words.noSessions : safe`${sessions}${waiting}`]);
	if (fetchedAt !== undefined) rows.push([fieldTitles.checked, words.ago(age(now - fetchedAt))]);
	rows.push([fieldTitles.origin, words.originAge(originText[origin], age(now - addedAt))]);
	return rows.flatMap(([title, value, contractWord]) => {
		const room = Math.max(4, width - 10);
		// An id is there to be read and typed: it is whole.
		const values = title === fieldTitles.id ? wrapText(value, room) : [cutMiddle(value, room)];
		return values.map((row, index) => [
			span(pad(index === 0 ? title : safe``, 10), 'dim'),
			span(row),
			...(contractWord === undefined ? [] : [span(safe` ${contractWord}`, 'dim')]),
		]);
	});
}
