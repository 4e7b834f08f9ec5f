import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import type {BackgroundContext} from '../context.ts';
import {childEnvironment} from '../processes/child-environment.ts';
import {createOutputTail} from '../processes/output-tail.ts';
import {createOutputWriter} from '../processes/output-writer.ts';
import {endNote} from '../processes/process-group.ts';
import type {StoredComputer} from '../storage/computers.ts';
import {type InstallCommand, planInstall} from './install-plan.ts';
import {StepFailed} from './provisioning.ts';
import type {StepRun} from './step-work.ts';

/**
 * Installs the dependencies of every repository of a computer. Streams the tools' output into the step's own
 * session, one message per command. Throws `StepFailed` with the end of each failed command's output.
 */
export async function installDependencies(run: StepRun): Promise<void> {
	const {context, computer, steps} = run;
	const sessionId = run.step.installSessionId ?? '';
	const failures: string[] = [];
	// If a user's turn is running in this session, the install proceeds without the claim.
	const {sessions} = context.storage;
	const isClaimed = sessions.get(sessionId)?.isRunning === false;
	if (isClaimed) sessions.update(sessionId, {isRunning: true});
	try {
		for (const {repo} of steps) {
			if (!repo || context.closing.aborted) continue;
			const failure = await installRepository(
				run,
				sessionId,
				repo.folder,
				join(computer.workspace, repo.folder),
			);
			if (failure !== undefined) failures.push(failure);
		}
	} finally {
		if (isClaimed) await context.save(() => sessions.release(sessionId));
	}
	if (failures.length > 0) throw new StepFailed(failures.join('\n\n'));
}

export function createInstallSession({storage}: BackgroundContext, computer: StoredComputer): string {
	const id = randomUUID();
	storage.sessions.add({
		id,
		computerId: computer.id,
		cwd: computer.workspace,
		title: `Install on ${computer.name}`,
		settings: {},
		isInstall: true,
	});
	return id;
}

async function installRepository(
	run: StepRun,
	sessionId: string,
	name: string,
	cwd: string,
): Promise<string | undefined> {
	const commands = planInstall(cwd);
	if (commands.length === 0) {
		const head = `${name}: nothing to install (no lock file)\n`;
		await createOutputWriter(run.context, {sessionId, role: 'tool', isOutput: true, head}).end(
			undefined,
			false,
		);
	}
	for (const command of commands) {
		const failure = await runCommand(run, sessionId, name, cwd, command);
		if (failure !== undefined) return failure;
	}
	return undefined;
}

async function runCommand(
	{context}: StepRun,
	sessionId: string,
	name: string,
	cwd: string,
	{file, args}: InstallCommand,
): Promise<string | undefined> {
	const {groups, closing} = context;
	const line = [file, ...args].join(' ');
	const output = createOutputWriter(context, {
		sessionId,
		role: 'tool',
		isOutput: true,
		head: `${name} $ ${line}\n`,
	});
	const tail = createOutputTail();
	const ended = await groups.run(
		{file: file.includes('/') ? join(cwd, file) : file, args, cwd, env: childEnvironment()},
		(chunk, source) => {
			tail.add(chunk, source);
			output.write(chunk, source);
		},
		{signal: closing},
	);
	const note = closing.aborted ? '[interrupted: the service was stopped]' : endNote(file, ended);
	await output.end(note, note !== undefined);
	return note === undefined ? undefined : `${name}: ${line}\n${`${tail.text()}\n${note}`.trim()}`;
}
