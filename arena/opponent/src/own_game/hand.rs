//! One process of a referee program, on a thread of its own: questions in, answers out. Every wait has a time limit. It
//! knows nothing of games.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{ANSWER_BYTES, Contender, ReceivedLine, Session, Spawn};
use host::executable;
use host::launch::{self, Confinement};
use model::referee::Response;
use model::{Engine, RefereeProgram, TimeControl, Timeouts};

/// The time for the answer to one question.
pub const PATIENCE: Duration = Duration::from_millis(if cfg!(test) { 300 } else { 10_000 });
/// The time that a program has to end after its input is closed.
const QUIT: Duration = Duration::from_secs(1);
/// The number of questions that are written before the first answer is read. Their answers wait in the pipe.
const BATCH: usize = 16;

/// A running process.
pub struct Hand {
    questions: Sender<Vec<String>>,
    answers: Receiver<Result<Vec<String>, String>>,
}

impl Hand {
    /// Starts the program.
    ///
    /// # Errors
    /// If it cannot be started, in words.
    pub fn start(id: &str, program: &RefereeProgram) -> Result<Self, String> {
        let (contender, scratch) = contender(id, program)?;
        let (questions, asked) = channel::<Vec<String>>();
        let (answered, answers) = channel();
        let builder = thread::Builder::new().name(format!("referee of {id}"));
        let run = move || work(&contender, scratch.as_ref(), &asked, &answered);
        builder.spawn(run).map_err(|error| format!("the arena cannot start a thread: {error}"))?;
        Ok(Self { questions, answers })
    }

    /// Asks these questions and waits for all answers, which are in the same order.
    ///
    /// # Errors
    /// What the program did instead of answering. It is ended then.
    pub fn ask(&self, questions: Vec<String>) -> Result<Vec<String>, String> {
        let gone = || "its thread has ended".to_owned();
        self.questions.send(questions).map_err(|_| gone())?;
        self.answers.recv().map_err(|_| gone())?
    }
}

/// How the program is started, and the folder that a sandboxed one may write to.
pub fn contender(id: &str, program: &RefereeProgram) -> Result<(Contender, Option<TempDir>), String> {
    let (command, args) = program.command.split_first().ok_or("`referee` is empty")?;
    let path = executable::find(command.as_ref()).map_err(|_| format!("there is no program `{command}`"))?;
    let timeouts = Timeouts { start: PATIENCE, ready: PATIENCE, quit: QUIT };
    let engine = Engine {
        cage: program.cage.clone(),
        ..Engine::new(&format!("referee of {id}"), &path, TimeControl::unlimited(PATIENCE), timeouts)
    };
    let scratch = engine.cage.sandbox.is_some().then(tempfile::tempdir).transpose();
    let scratch = scratch.map_err(|error| format!("the arena cannot make a folder for it: {error}"))?;
    // A sandboxed program runs in another folder, and may read the files among its arguments.
    let mut cage = engine.cage.clone();
    let absolute = |arg: &String| std::path::absolute(arg).ok().filter(|path| path.is_file());
    cage.readable.extend(args.iter().filter_map(absolute));
    let in_place = |arg: &String| {
        let path = scratch.as_ref().and_then(|_| absolute(arg));
        path.map_or_else(|| arg.clone(), |path| path.to_string_lossy().into_owned())
    };
    let args = args.iter().map(in_place).collect();
    let place = scratch.as_ref().map_or_else(std::env::temp_dir, |scratch| scratch.path().to_owned());
    let spawn = Spawn {
        program: path,
        args,
        directory: None,
        environment: std::collections::BTreeMap::new(),
        environment_allow: engine.cage.environment_allow.clone(),
        confinement: Confinement::new(&cage, &place, None),
        launcher: launch::launcher(),
        log: None,
    };
    Ok((Contender { engine: Arc::new(engine), spawn: Arc::new(spawn) }, scratch))
}

/// The thread: it ends when no more questions come, or after the first question without an answer.
fn work(
    contender: &Contender,
    _scratch: Option<&TempDir>,
    asked: &Receiver<Vec<String>>,
    answered: &Sender<Result<Vec<String>, String>>,
) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(answered.send(Err(format!("the arena cannot start a runtime: {error}")))),
    };
    let mut session = match runtime.block_on(async { Session::open(contender, None) }) {
        Ok(session) => session,
        Err(error) => return drop(answered.send(Err(error.to_string()))),
    };
    while let Ok(questions) = asked.recv() {
        let result = runtime.block_on(converse(&mut session, &questions));
        let has_failed = result.is_err();
        if answered.send(result).is_err() || has_failed {
            break;
        }
    }
    runtime.block_on(session.kill());
}

async fn converse(session: &mut Session, questions: &[String]) -> Result<Vec<String>, String> {
    let mut answers = Vec::with_capacity(questions.len());
    for batch in questions.chunks(BATCH) {
        let lines = batch.iter().fold(String::new(), |lines, question| lines + question + "\n");
        let end = Instant::now() + PATIENCE;
        session.write(&lines, end).await.map_err(in_words)?;
        for question in batch {
            let mut room = ANSWER_BYTES;
            let until = Instant::now() + PATIENCE;
            match session.read(until, &mut room).await {
                Ok(ReceivedLine::Text(line)) => answers.push(line),
                Ok(ReceivedLine::NotText(line)) => return Err(format!("a line that is not UTF-8: `{line}`")),
                Err(heard) => {
                    let question = engine_proto::fen::shown(question);
                    return Err(format!("{} after the line `{question}`", in_words(heard)));
                }
            }
        }
    }
    Ok(answers)
}

fn in_words(heard: Response) -> String {
    match heard {
        Response::Silence { .. } => format!("no answer within {PATIENCE:?}"),
        Response::Exit { how } => format!("its process {how}"),
        Response::Rubbish { what } => what,
        other => format!("{other:?}"),
    }
}
